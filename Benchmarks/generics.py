"""Calls by which a Swift program pays for types that were not known when it was compiled."""
import collections
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


def names_of_one(binary):
    """The functions of a program whose instructions the linker found to be the same, by each of their names."""
    listing = subprocess.run(["nm", str(binary)], capture_output=True, text=True, check=True).stdout
    at = collections.defaultdict(set)
    for line in listing.splitlines():
        address, kind, name = line[:16], line[17:18], line[19:]
        if kind in "tT":
            at[address].add(name)
    return {name: names for names in at.values() if len(names) > 1 for name in names}


def generic_calls(calls, same):
    """Calls of unspecialised functions and witnesses, and the runtime's look-ups of types and conformances, by name.

    callgrind gives a function that stands for several one of their names (`same`): it is generic if all of them are."""
    called = {name: count for name, count in calls.items() if count > 0}
    found = {name: count for name, count in called.items() if LOOKUP.match(name)}
    swift = {name: {name} | same.get(name, set()) for name in called if name.startswith("$s")}
    if swift:
        known = trees(sorted(set().union(*swift.values())))
        found |= {name: called[name] for name, names in swift.items()
                  if all(is_generic(known.get(each, "")) for each in names)}
    return found
