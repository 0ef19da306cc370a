"""Calls by which a Swift program pays for types that were not known when it was compiled."""
import re
import subprocess

# What the runtime is asked by code that does not know its types.
LOOKUP = re.compile(
    r"^swift_(getWitnessTable|getAssociatedTypeWitness|getAssociatedConformanceWitness|getGenericMetadata"
    r"|getTypeByMangledName\w*|conformsToProtocol\w*|dynamicCast\w*|checkMetadataState|getOpaqueTypeConformance\w*"
    r"|getTupleTypeMetadata\w*|getFunctionTypeMetadata\w*|getExistentialTypeMetadata)$")


def trees(names):
    """The node tree of each mangled name, as swift-demangle prints it."""
    text = subprocess.run(["swift", "demangle", "--tree-only"], input="\n".join(names) + "\n", capture_output=True,
                          text=True, check=True).stdout
    parts = re.split(r"(?m)^Demangling for (\S+)$", text)
    return dict(zip(parts[1::2], parts[2::2]))


def is_generic(tree):
    """Is it a function over types that its caller passes along, or one that is found in a witness table?"""
    if "kind=ProtocolWitness\n" in tree:
        return True
    # An extension for one Element names a parameter, but knows its type.
    return "kind=DependentGenericParamType" in tree and "kind=GenericSpecialization" not in tree \
        and "kind=DependentGenericSameTypeRequirement" not in tree


def generic_calls(calls):
    """Calls of unspecialised functions and witnesses, and the runtime's look-ups of types and conformances, by name."""
    called = {name: count for name, count in calls.items() if count > 0}
    found = {name: count for name, count in called.items() if LOOKUP.match(name)}
    swift = [name for name in called if name.startswith("$s")]
    if swift:
        found |= {name: called[name] for name, tree in trees(swift).items() if is_generic(tree)}
    return found
