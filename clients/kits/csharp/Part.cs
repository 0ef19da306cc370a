using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace ProctorKit
{
    /// <summary>An object of the assignment; a missing key is null, an empty list, or 0.</summary>
    public struct Part
    {
        /// <summary>Bytes of a body that are told (in base64 they fit a line of 1 MiB).</summary>
        public const int BodyLimit = 640 << 10;
        /// <summary>Bytes of a body that is sent, at most.</summary>
        public const int UploadLimit = 256 << 20;

        private readonly JsonElement value;

        public Part(JsonElement value)
        {
            this.value = value;
        }

        private bool Find(string key, out JsonElement found)
        {
            found = default(JsonElement);
            return value.ValueKind == JsonValueKind.Object && value.TryGetProperty(key, out found)
                && found.ValueKind != JsonValueKind.Null;
        }

        public bool Has(string key)
        {
            JsonElement found;
            return Find(key, out found) && found.ValueKind != JsonValueKind.False;
        }

        /// <summary>The text of a key; null where it has none.</summary>
        public string Text(string key)
        {
            JsonElement found;
            return Find(key, out found) && found.ValueKind == JsonValueKind.String ? found.GetString() : null;
        }

        public long Number(string key)
        {
            JsonElement found;
            long number;
            return Find(key, out found) && found.ValueKind == JsonValueKind.Number && found.TryGetInt64(out number) ? number : 0;
        }

        public Part Get(string key)
        {
            JsonElement found;
            return Find(key, out found) ? new Part(found) : default(Part);
        }

        private JsonElement[] Elements(string key)
        {
            JsonElement found;
            return Find(key, out found) && found.ValueKind == JsonValueKind.Array
                ? found.EnumerateArray().ToArray() : new JsonElement[0];
        }

        public List<Part> Parts(string key)
        {
            return Elements(key).Select(one => new Part(one)).ToList();
        }

        public List<string> Words(string key)
        {
            return Elements(key).Where(one => one.ValueKind == JsonValueKind.String).Select(one => one.GetString()).ToList();
        }

        /// <summary>Names and values, as of <c>headers</c>, <c>form</c> and <c>query</c>.</summary>
        public List<KeyValuePair<string, string>> Pairs(string key)
        {
            return Elements(key).Where(one => one.ValueKind == JsonValueKind.Array && one.GetArrayLength() == 2
                    && one.EnumerateArray().All(word => word.ValueKind == JsonValueKind.String))
                .Select(one => new KeyValuePair<string, string>(one[0].GetString(), one[1].GetString())).ToList();
        }

        /// <summary>The answers that a right client comes to: all where the case does not say how many it meets.</summary>
        public List<Part> Met(string key, string countKey)
        {
            var all = Parts(key);
            return Has(countKey) ? all.Take((int)Math.Min(all.Count, Number(countKey))).ToList() : all;
        }

        /// <summary>Whether the length of a step's body is not to be known.</summary>
        public bool IsStreamed
        {
            get { return Regex.IsMatch(Text("bodyForm") ?? "", "(stream|pair)$"); }
        }

        /// <summary>The bytes of a body.</summary>
        public byte[] Content()
        {
            var data = Has("base64") ? Convert.FromBase64String(Text("base64")) : Encoding.UTF8.GetBytes(Text("text") ?? "");
            JsonElement count;
            if (!Find("count", out count) || data.Length == 0) return data;
            if (Number("count") > UploadLimit || Number("count") < 0)
            {
                throw new Unimplemented(0, "a body has at most " + UploadLimit + " bytes");
            }
            var whole = new byte[Number("count")];
            for (int at = 0; at < whole.Length; at += data.Length)
            {
                Array.Copy(data, 0, whole, at, Math.Min(data.Length, whole.Length - at));
            }
            return whole;
        }

        /// <summary>
        /// Where a name and its port listen, by this session: an address with its port, or <c>unix:</c> and a path. Null for a name
        /// that is not in the assignment, which is not looked up.
        /// </summary>
        public string Place(string host, int port)
        {
            var plain = host.ToLowerInvariant();
            if (plain.EndsWith(".", StringComparison.Ordinal)) plain = plain.Substring(0, plain.Length - 1);
            foreach (var one in Parts("names"))
            {
                if (one.Text("name") == plain && one.Number("port") == port) return one.Text("address");
            }
            var tail = ":" + port.ToString(CultureInfo.InvariantCulture);
            if (plain == "localhost") return "127.0.0.1" + tail;
            if (Regex.IsMatch(plain, @"^[0-9]+(\.[0-9]+){3}$")) return plain + tail;
            return plain.Contains(":") ? "[" + plain.Trim('[', ']') + "]" + tail : null;
        }

        /// <summary>Adds the length of a body, and the body itself where <c>body</c> is all of it.</summary>
        public static void AddBody(IDictionary<string, object> facts, byte[] body, long byteCount)
        {
            facts["bytes"] = byteCount;
            if (body.Length < byteCount || byteCount > BodyLimit) return;
            try
            {
                var text = new UTF8Encoding(false, true).GetString(body);
                if (text.IndexOf('\0') < 0)
                {
                    facts["body"] = text;
                    return;
                }
            }
            catch (ArgumentException)
            {
                // It is told in base64.
            }
            facts["bodyBase64"] = Convert.ToBase64String(body);
        }
    }

    /// <summary>Values of C# as one line of JSON (RFC 8259): dictionaries, lists, texts, numbers and booleans.</summary>
    public static class Json
    {
        public static byte[] Line(object value)
        {
            using (var bytes = new MemoryStream())
            {
                using (var writer = new Utf8JsonWriter(bytes)) Write(writer, value);
                bytes.WriteByte((byte)'\n');
                return bytes.ToArray();
            }
        }

        private static void Write(Utf8JsonWriter writer, object value)
        {
            if (value is string) writer.WriteStringValue((string)value);
            else if (value is bool) writer.WriteBooleanValue((bool)value);
            else if (value is int || value is long) writer.WriteNumberValue(Convert.ToInt64(value));
            else if (value is IEnumerable<KeyValuePair<string, object>>)
            {
                writer.WriteStartObject();
                foreach (var pair in (IEnumerable<KeyValuePair<string, object>>)value)
                {
                    if (pair.Value == null) continue;
                    writer.WritePropertyName(pair.Key);
                    Write(writer, pair.Value);
                }
                writer.WriteEndObject();
            }
            else if (value is IEnumerable<string>)
            {
                writer.WriteStartArray();
                foreach (var one in (IEnumerable<string>)value) writer.WriteStringValue(one);
                writer.WriteEndArray();
            }
            else throw new ArgumentException("no JSON is written of " + value.GetType());
        }
    }
}
