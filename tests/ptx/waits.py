"""Checks that no kernel touches memory before it has waited for the previous one: waits.py FILE.ptx.

Every way from a kernel's first instruction to an access of global memory, or of memory anywhere, has to lead over
`griddepcontrol.wait`. What is before it, such as the places of elements, is computed while the previous kernel ends.
"""
import re
import sys

BRANCH = re.compile(r"^(?:@(!?%p\d+)\s+)?bra(?:\.uni)?\s+(\$\w+)")
ACCESS = re.compile(r"^(?:@!?%p\d+\s+)?(?:ld|st|atom|red|cp|prefetch)\.(?!param|shared|const|local)")


def blocks_of(body):
    """Returns instructions by label, in order, each block with the labels that it may go on to."""
    blocks, label = {"": ([], [])}, ""
    for line in (line.strip() for line in body.splitlines()):
        if found := re.match(r"(\$\w+):", line):
            blocks[label][1].append(found[1])
            label = found[1]
            blocks[label] = ([], [])
        elif branch := BRANCH.match(line):
            instructions, following = blocks[label]
            following.append(branch[2])
            after = f"{label}'"
            blocks[after] = ([], [])
            if branch[1]:
                following.append(after)
            label = after
        elif line and not line.startswith(("//", ".", "{", "}")):
            blocks[label][0].append(line)
            if re.match(r"(ret|exit|trap)\b", line):
                label = f"{label}'"
                blocks[label] = ([], [])
    return blocks


def access_before_wait(body):
    blocks, seen, left = blocks_of(body), set(), [""]
    while left:
        label = left.pop()
        if label in seen:
            continue
        seen.add(label)
        instructions, following = blocks[label]
        for line in instructions:
            if line.startswith("griddepcontrol.wait"):
                break
            if ACCESS.match(line):
                return line
        else:
            left += following
    return None


with open(sys.argv[1]) as file:
    kernels = re.findall(r"^\.visible \.entry (\S+)\(.*?^\{(.*?)^\}", file.read(), re.M | re.S)
if not any("griddepcontrol.wait" in body for _, body in kernels):
    sys.exit(f"{sys.argv[1]}: none of {len(kernels)} kernels waits")
early = [f"{name}: {line}" for name, body in kernels if (line := access_before_wait(body))]
if early:
    sys.exit("\n".join(["before griddepcontrol.wait:", *early]))
