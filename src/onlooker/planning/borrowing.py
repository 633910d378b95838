"""numba's side of structures: compiled functions get the address of a block that Python owns.

A structure is handed on as that address. Numbers are read and set there. Arrays are made of the
offset and shape that are written there, without an owner: nothing is counted and nothing freed.
While a compiled function runs these never change, so that they are read once and not after
whatever is stored in an array.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.core import cgutils, types
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, models, register_model, unbox
from numba.np.arrayobj import make_array, populate_array

from onlooker.planning.structures import WORD, fields_of

NUMBERS = {int: types.int64, float: types.float64, bool: types.boolean}


class Borrowed(types.Type):
    """The address of a structure."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        super().__init__(name=f"Borrowed[{cls.__module__}.{cls.__qualname__}]")

    def type_of(self, field: Any) -> Any:
        """The type of what a field holds."""
        if field.axes is None:
            return NUMBERS[field.kind]
        count = len(field.axes) if type(field.axes) is tuple else 1  # a span is a row
        return types.Array(numba.from_dtype(np.dtype(field.kind)), count, "C")


register_model(Borrowed)(models.OpaqueModel)


def _field(kind: Borrowed, name: str) -> Any:
    return next((field for field in fields_of(kind.cls) if field.name == name), None)


@infer_getattr
class _Fields(AttributeTemplate):
    key = Borrowed

    def generic_resolve(self, kind: Any, name: str) -> Any:
        field = _field(kind, name)
        return None if field is None else kind.type_of(field)


@unbox(Borrowed)
def _unbox(kind: Any, block: Any, c: Any) -> Any:
    number = c.pyapi.object_getattr_string(block, "address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address)


def _word(context: Any, builder: Any, address: Any, slot: int, kind: Any) -> Any:
    """A pointer to a word of a block."""
    place = cgutils.pointer_add(builder, address, WORD * slot)
    return builder.bitcast(place, context.get_data_type(kind).as_pointer())


@lower_getattr_generic(Borrowed)
def _get(context: Any, builder: Any, kind: Any, address: Any, name: str) -> Any:
    field = _field(kind, name)
    if field.axes is None:
        if field.kind is bool:
            word = builder.load(_word(context, builder, address, field.slot, types.int64))
            return builder.icmp_signed("!=", word, word.type(0))
        return builder.load(_word(context, builder, address, field.slot, kind.type_of(field)))
    array_type = kind.type_of(field)
    offset, *shape = [
        builder.load(_word(context, builder, address, field.slot + word, types.intp))
        for word in range(1 + array_type.ndim)
    ]
    for load in (offset, *shape):
        load.set_metadata("invariant.load", builder.module.add_metadata([]))
    data = cgutils.pointer_add(builder, address, offset)
    array = make_array(array_type)(context, builder)
    itemsize = context.get_abi_sizeof(context.get_data_type(array_type.dtype))
    strides = [context.get_constant(types.intp, itemsize)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    populate_array(
        array,
        data=builder.bitcast(data, array.data.type),
        shape=shape,
        strides=strides,
        itemsize=context.get_constant(types.intp, itemsize),
        meminfo=None,
    )
    return array._getvalue()


@lower_setattr_generic(Borrowed)
def _set(context: Any, builder: Any, signature: Any, values: Any, name: str) -> None:
    kind, value_type = signature.args
    address, value = values
    field = _field(kind, name)
    if field.axes is not None:
        raise TypeError(f"{kind.cls.__name__}.{name}: kernels replace no arrays")
    value = context.cast(builder, value, value_type, kind.type_of(field))
    if field.kind is bool:
        value = builder.zext(value, context.get_data_type(types.int64))
        builder.store(value, _word(context, builder, address, field.slot, types.int64))
    else:
        builder.store(value, _word(context, builder, address, field.slot, kind.type_of(field)))
