"""Typed structures that compiled functions share: numba's structref behind one door.

A structure is a class of annotated fields, each a number or an array of known axes:

    @structure
    class Ring:
        length: int
        cell: Ints1  # (length): the cells that wait

Compiled functions make one with `Ring()`, whose fields are zero until they are set. They hand
`borrow(ring)` to one another and read and set `ring.cell` by name. Nothing that is borrowed counts
references, nor do the arrays read from it: whoever borrows must not outlive the structure, and
what Python keeps is read from the structure itself. A function frees a structure that it made
after the last line that names it, so one that goes on with what is borrowed ends with
`keep_until_here(ring)`. Python only passes structures on.

Without compilation (`NUMBA_DISABLE_JIT=1`) the class is an ordinary one.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_type_hints

import numba
import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

# The number at the end is that of the axes; the last axis runs fastest.
Bools1 = Annotated[NDArray[np.bool_], np.bool_, 1]
Bools2 = Annotated[NDArray[np.bool_], np.bool_, 2]
Ints1 = Annotated[NDArray[np.int64], np.int64, 1]
Ints2 = Annotated[NDArray[np.int64], np.int64, 2]
Ints3 = Annotated[NDArray[np.int64], np.int64, 3]
Points1 = Annotated[NDArray[np.int32], np.int32, 1]
Points2 = Annotated[NDArray[np.int32], np.int32, 2]
Points3 = Annotated[NDArray[np.int32], np.int32, 3]
Floats1 = Annotated[NDArray[np.float64], np.float64, 1]
Floats2 = Annotated[NDArray[np.float64], np.float64, 2]
Floats3 = Annotated[NDArray[np.float64], np.float64, 3]

if TYPE_CHECKING or numba.config.DISABLE_JIT:

    def structure(cls: type[T]) -> type[T]:
        """The class, its numbers zero until they are set."""
        for name, hint in get_type_hints(cls).items():
            if hint in (int, float, bool):
                setattr(cls, name, hint())
        return cls

    def borrow(structure: T) -> T:
        """The structure itself."""
        return structure

    def keep_until_here(structure: Any) -> None:
        """Nothing is freed while it is borrowed."""

else:
    from numba.core import cgutils, types
    from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
    from numba.core.typing.templates import AttributeTemplate
    from numba.experimental import structref
    from numba.extending import infer_getattr, intrinsic, models, overload, register_model

    class Borrowed(types.Type):
        """The address of a structure that somebody else keeps."""

        def __init__(self, owner: Any) -> None:
            self.owner = owner
            super().__init__(name=f"Borrowed{type(owner).__name__}")

    register_model(Borrowed)(models.OpaqueModel)

    @infer_getattr
    class _BorrowedFields(AttributeTemplate):
        key = Borrowed

        def generic_resolve(self, borrowed: Any, field: str) -> Any:
            return borrowed.owner.field_dict.get(field)

    def _fields(context: Any, builder: Any, borrowed: Any, address: Any) -> Any:
        """A proxy whose attributes are the fields."""
        payload = borrowed.owner.get_data_type()
        kind = context.data_model_manager[payload].get_value_type()
        address = builder.bitcast(address, kind.as_pointer())
        return cgutils.create_struct_proxy(payload)(context, builder, ref=address)

    @lower_getattr_generic(Borrowed)
    def _get_field(context: Any, builder: Any, borrowed: Any, address: Any, field: str) -> Any:
        value = getattr(_fields(context, builder, borrowed, address), field)
        kind = borrowed.owner.field_dict[field]
        if not isinstance(kind, types.Array):
            return value
        array = cgutils.create_struct_proxy(kind)(context, builder, value=value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()

    @lower_setattr_generic(Borrowed)
    def _set_field(context: Any, builder: Any, signature: Any, values: Any, field: str) -> None:
        borrowed, kind = signature.args
        address, value = values
        fields = _fields(context, builder, borrowed, address)
        field_type = borrowed.owner.field_dict[field]
        value = context.cast(builder, value, kind, field_type)
        before = getattr(fields, field)
        context.nrt.incref(builder, field_type, value)
        context.nrt.decref(builder, field_type, before)
        setattr(fields, field, value)

    @intrinsic
    def borrow(context: Any, structure: Any) -> Any:
        """The structure, for a function that does not keep it."""
        borrowed = Borrowed(structure)

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            reference = cgutils.create_struct_proxy(structure)(context, builder, value=values[0])
            return context.nrt.meminfo_data(builder, reference.meminfo)

        return borrowed(structure), code

    @intrinsic
    def keep_until_here(context: Any, structure: Any) -> Any:
        """Name a structure, so that it is not freed before."""

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return context.get_dummy_value()

        return types.none(structure), code

    def structure(cls: type[T]) -> type[T]:
        """Let compiled functions use a class of annotated fields."""
        hints = get_type_hints(cls, include_extras=True)
        module = {"__module__": cls.__module__, "__doc__": cls.__doc__}
        proxy: Any = type(cls.__name__, (structref.StructRefProxy,), module | {"__slots__": ()})
        kind = structref.register(type(f"{cls.__name__}Type", (types.StructRef,), dict(module)))
        # Types are unpickled by name when what was compiled is read from disk.
        setattr(sys.modules[cls.__module__], kind.__name__, kind)
        instance = kind([(name, _numba_type(hint)) for name, hint in hints.items()])
        structref.define_boxing(kind, proxy)
        create = structref.new

        @overload(proxy)
        def construct() -> Any:
            return lambda: create(instance)

        return proxy

    def _numba_type(hint: Any) -> Any:
        numbers: dict[Any, Any] = {int: types.int64, float: types.float64, bool: types.boolean}
        if hint in numbers:
            return numbers[hint]
        _, scalar, axes = get_args(hint)
        return types.Array(numba.from_dtype(np.dtype(scalar)), axes, "C")
