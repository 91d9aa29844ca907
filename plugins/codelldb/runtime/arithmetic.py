"""Operators on numbers, computed in the types that the language of the frame uses.

What would fail in the program (an overflow in Rust, a division by zero) is an error here. Knows
nothing of variables and strings.
"""

import math

from operands import Number, Unable, called, is_rust, number_of, rounded, type_name


def minus(operand):
    found = number_of(operand)
    if found.size is None or found.kind == "float":
        return Number(-found.value, found.kind, found.size, type=found.type)
    return compute("-", Number(0), operand)


def flipped(operand):
    found = _promoted(number_of(operand))
    if found.kind not in ("int", "char"):
        raise Unable("bit operators need integers")
    return Number(wrapped(~found.value, found), "int", found.size, found.signed, found.type)


def inverted(operand):
    found = number_of(operand)
    if is_rust() and found.kind == "int":
        return flipped(operand)
    return not found.value


def absolute(operand):
    found = number_of(operand)
    if found.kind not in ("int", "float"):
        raise Unable("`%s` is %s, no number" % (called(operand), type_name(operand)))
    return minus(found) if found.value < 0 else found


def compute(sign, left, right):
    left, right = number_of(left), number_of(right)
    pointers = [one.kind == "pointer" for one in (left, right)]
    if any(pointers):
        return _moved(sign, left, right, pointers)
    if sign in ("<<", ">>"):
        return _shifted(sign, _promoted(left), right)
    left, right = converted(left, right)
    if "float" in (left.kind, right.kind):
        return _floating(sign, left, right)
    if left.kind == right.kind == "bool" and sign in "&|^":
        return bool(
            {
                "&": left.value & right.value,
                "|": left.value | right.value,
                "^": left.value ^ right.value,
            }[sign]
        )
    return fitting(
        Number(_whole(sign, left.value, right.value), "int", left.size, left.signed, left.type)
    )


def _whole(sign, left, right):
    if sign in "/%":
        if right == 0:
            raise Unable("division by zero")
        quotient = abs(left) // abs(right)
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        return quotient if sign == "/" else left - right * quotient
    return {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "&": left & right,
        "|": left | right,
        "^": left ^ right,
    }[sign]


def _floating(sign, left, right):
    if sign in "&|^":
        raise Unable("bit operators need integers")
    size, values = left.size, (left.value, right.value)
    if sign in "/%" and values[1] == 0:
        nothing = values[0] == 0 or math.isnan(values[0]) or sign == "%"
        result = float("nan") if nothing else float("inf") * values[0] * math.copysign(1, values[1])
        return Number(result, "float", size)
    if sign == "%":
        result = math.nan if math.isinf(values[0]) else math.fmod(*values)
    else:
        result = {
            "+": values[0] + values[1],
            "-": values[0] - values[1],
            "*": values[0] * values[1],
        }.get(sign)
        result = values[0] / values[1] if sign == "/" else result
    return Number(rounded(result, size), "float", size)


def _shifted(sign, left, right):
    if left.kind != "int" or right.kind not in ("int", "char"):
        raise Unable("bit operators need integers")
    size = left.size or 8
    if not 0 <= right.value < 8 * size:
        raise Unable("shift by %d of %d bits" % (right.value, 8 * size))
    value = left.value << right.value if sign == "<<" else left.value >> right.value
    shifted = Number(value, "int", left.size, left.signed, left.type)
    if left.size and sign == "<<" and (is_rust() or not left.signed):
        shifted.value = wrapped(value, left)
    return fitting(shifted)


def _moved(sign, left, right, pointers):
    """Pointer arithmetic: moves by elements, and the distance of two pointers."""
    if all(pointers) and sign == "-":
        size = left.type.GetCanonicalType().GetPointeeType().GetByteSize() or 1
        return Number((left.value - right.value) // size, "int", 8, True)
    pointer, count = (left, right) if pointers[0] else (right, left)
    if (
        all(pointers)
        or sign not in "+-"
        or (sign == "-" and not pointers[0])
        or count.kind not in ("int", "char")
    ):
        raise Unable("`%s` does not go with a pointer" % sign)
    size = pointer.type.GetCanonicalType().GetPointeeType().GetByteSize() or 1
    value = pointer.value + (count.value if sign == "+" else -count.value) * size
    return Number(value & ((1 << 64) - 1), "pointer", pointer.size, False, pointer.type)


def _promoted(found):
    """C's integer promotion; Rust has none."""
    if is_rust() or found.kind not in ("int", "char", "bool"):
        return found
    if found.size is None:
        size = next((size for size in (4, 8) if abs(found.value) < 1 << 8 * size - 1), 16)
        return Number(found.value, "int", size, True)
    if found.size < 4:
        return Number(int(found.value), "int", 4, True)
    return Number(found.value, "int", found.size, found.signed, found.type)


def converted(left, right):
    """Both operands in the common type of the language."""
    left, right = _promoted(left), _promoted(right)
    if "pointer" in (left.kind, right.kind):
        return left, right
    if "float" in (left.kind, right.kind):
        return _floats(left, right)
    if is_rust():
        return _converted_in_rust(left, right)
    size = max(left.size, right.size)
    unsigned = any(one.size == size and not one.signed for one in (left, right))
    common = [Number(one.value, "int", size, not unsigned) for one in (left, right)]
    for one in common:
        one.value = wrapped(one.value, one)
    return common


def _floats(left, right):
    """In the larger of the two sizes; only literals of Rust have no size."""
    size = max(
        (one.size for one in (left, right) if one.kind == "float" and one.size), default=None
    )
    return [Number(rounded(one.value, size), "float", size) for one in (left, right)]


def _converted_in_rust(left, right):
    """A literal takes the type of the other operand. Different types, which Rust rejects, are
    computed without bounds.
    """
    if left.size is None and right.size is not None:
        return fitting(Number(left.value, left.kind, right.size, right.signed, right.type)), right
    if right.size is None and left.size is not None:
        return left, fitting(Number(right.value, right.kind, left.size, left.signed, left.type))
    if (left.size, left.signed, left.kind) == (right.size, right.signed, right.kind):
        return left, right
    return Number(int(left.value), "int"), Number(int(right.value), "int")


def wrapped(value, like):
    if like.size is None:
        return value
    bits = 8 * like.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if like.signed and value >> (bits - 1) else value


def fitting(found):
    """A number inside the range of its type. Unsigned numbers of C wrap; otherwise the program
    itself would have failed.
    """
    if found.size is None or wrapped(found.value, found) == found.value:
        return found
    if not is_rust() and not found.signed:
        found.value = wrapped(found.value, found)
        return found
    raise Unable("%d overflows %s" % (found.value, found.type_text()))
