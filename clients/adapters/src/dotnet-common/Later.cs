using System;

// Properties that came after .NET Core 3.1, whose classes are those that the compiler knows.
internal static class Later
{
    // Sets a property; a text names the value of an enumeration.
    internal static void Set(object one, string name, object value)
    {
        var property = one.GetType().GetProperty(name);
        property.SetValue(one, property.PropertyType.IsEnum ? Enum.Parse(property.PropertyType, (string)value) : value);
    }

    // The value of a property; null where the object has none of that name.
    internal static object Get(object one, string name)
    {
        return one.GetType().GetProperty(name)?.GetValue(one);
    }

    // Sets a property to a new object of its class.
    internal static void SetNew(object one, string name)
    {
        var property = one.GetType().GetProperty(name);
        property.SetValue(one, Activator.CreateInstance(property.PropertyType));
    }
}
