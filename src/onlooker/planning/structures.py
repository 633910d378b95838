"""Structures that kernels share. Only Python owns them.

A structure is a class of annotated fields, each a number or an array with named axes:

    @structure
    class Ring:
        length: int
        cell: Ints1 = axes("cells")  # those that wait
        near: Ints2 = axes("cells", "sides")

How long the axes are is said when one is made. Everything is zero at first. Kernels read and set
numbers and what is in arrays, by name, but they make no structures and replace no arrays. A kernel
that finds an axis too short says so in the structure of the error (`Room.call`), Python makes the
axis longer, and the kernel is called again.

All arrays of a structure lie in one block of memory. Without compilation a structure is an object
of its class; its compiled twin is a `Block`, of which compiled functions get the address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import prod
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_type_hints

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

WORD = 8  # bytes, to which everything is aligned
FULL = 1  # the error of a kernel that finds an axis too short


Axis = str | int  # a name, or a length that is always the same


def axes(*names: Axis) -> Any:
    """The axes of an array."""
    return names


class _Span(NamedTuple):
    first: str
    last: str


def span(first: str, last: str) -> Any:
    """All arrays from one field to another, as one row: they are of one type, side by side."""
    return _Span(first, last)


class Field(NamedTuple):
    """A field of a structure."""

    name: str
    kind: Any  # int, float or bool, or the type of an array's elements
    axes: tuple[Axis, ...] | _Span | None  # None for a number
    slot: int  # its first word in the header of a block: a number, or an address and a shape


def structure(cls: type[T]) -> type[T]:
    """Let kernels use a class of annotated fields."""
    fields, slot = [], 0
    for name, hint in get_type_hints(cls, include_extras=True).items():
        if hint in (int, float, bool):
            fields.append(Field(name, hint, None, slot))
            setattr(cls, name, hint())
            slot += 1
        else:
            _, kind, count = get_args(hint)
            shape = vars(cls)[name]
            if not isinstance(shape, _Span) and len(shape) != count:
                raise TypeError(f"{cls.__name__}.{name}: expected {count} axes, not {shape}")
            fields.append(Field(name, kind, shape, slot))
            slot += 1 + count
    cls.FIELDS = tuple(fields)  # type: ignore[attr-defined]
    return cls


def fields_of(cls: type) -> tuple[Field, ...]:
    """The fields of a structure."""
    return cls.FIELDS  # type: ignore[attr-defined, no-any-return]


@cache
def axes_of(cls: type) -> tuple[str, ...]:
    """The names of all axes of a structure."""
    found = (f.axes for f in fields_of(cls) if f.axes and not isinstance(f.axes, _Span))
    return tuple(dict.fromkeys(a for names in found for a in names if isinstance(a, str)))


class Layout(NamedTuple):
    """Where the arrays of a structure lie if its axes have some lengths."""

    arrays: dict[str, tuple[tuple[int, ...], Any, int]]  # shape, type and offset
    size: int  # bytes
    header: NDArray[np.int64]  # with offsets for addresses
    addresses: NDArray[np.intp]  # its words that are addresses
    numbers: dict[str, tuple[int, Any]]  # slot and kind


@cache
def layout_of(cls: type, lengths: tuple[int, ...]) -> Layout:
    """The layout of a structure with axes of some lengths, in the order of `axes_of`."""
    length: dict[Axis, int] = dict(zip(axes_of(cls), lengths, strict=True))
    arrays: dict[str, tuple[tuple[int, ...], Any, int]] = {}
    size = 0
    for field in fields_of(cls):
        if isinstance(field.axes, tuple) and not isinstance(field.axes, _Span):
            shape = tuple(a if isinstance(a, int) else length[a] for a in field.axes)
            arrays[field.name] = shape, field.kind, size
            size += -(-prod(shape) * np.dtype(field.kind).itemsize // WORD) * WORD
        elif isinstance(field.axes, _Span):
            (_, _, start), (shape, _, last) = arrays[field.axes.first], arrays[field.axes.last]
            arrays[field.name] = ((last - start) // WORD + prod(shape),), field.kind, start
    end = fields_of(cls)[-1]
    words = end.slot + 1 + (len(arrays[end.name][0]) if end.axes else 0)
    header = np.zeros(words, np.int64)
    for field in fields_of(cls):
        if field.axes is not None:
            shape, _, offset = arrays[field.name]
            header[field.slot : field.slot + 1 + len(shape)] = offset, *shape
    addresses = np.array([f.slot for f in fields_of(cls) if f.axes is not None], np.intp)
    numbers = {f.name: (f.slot, f.kind) for f in fields_of(cls) if f.axes is None}
    return Layout(arrays, size, header, addresses, numbers)


class Block:
    """A structure as compiled functions see it: numbers, and addresses and shapes of arrays."""

    def __init__(self, cls: type, layout: Layout) -> None:
        memory, header = np.zeros(layout.size, np.uint8), layout.header.copy()
        header[layout.addresses] += _address(memory)
        self.__dict__.update(
            layout=layout,
            memory=memory,
            header=header,
            floats=header.view(np.float64),
            address=_address(header),
            _numba_type_=_borrowed(cls),
        )

    def __getattr__(self, name: str) -> Any:
        if name in self.layout.numbers:
            slot, kind = self.layout.numbers[name]
            return kind((self.floats if kind is float else self.header)[slot])
        if name not in self.layout.arrays:
            raise AttributeError(name)
        self.__dict__[name] = found = _array(self.layout, self.memory, name)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        slot, kind = self.layout.numbers[name]
        (self.floats if kind is float else self.header)[slot] = value


def _address(array: NDArray[Any]) -> int:
    return array.__array_interface__["data"][0]  # type: ignore[no-any-return]


@cache
def _borrowed(cls: type) -> Any:
    from onlooker.planning.borrowing import Borrowed  # with numba, which takes a while

    return Borrowed(cls)


def _array(layout: Layout, memory: Any, name: str) -> Any:
    shape, kind, offset = layout.arrays[name]
    return np.ndarray(shape, kind, memory, offset)


def _layout(cls: type, lengths: Mapping[str, int]) -> Layout:
    return layout_of(cls, tuple(lengths[axis] for axis in axes_of(cls)))


def make(cls: type[T], lengths: Mapping[str, int], compiled: bool) -> T:
    """A structure whose axes have some lengths."""
    layout = _layout(cls, lengths)
    if compiled:
        return Block(cls, layout)  # type: ignore[return-value]
    made = cls()
    memory = np.zeros(layout.size, np.uint8)
    for name in layout.arrays:
        setattr(made, name, _array(layout, memory, name))
    return made


def grown(before: T, cls: type[T], lengths: Mapping[str, int]) -> T:
    """The same structure with axes that are longer; what is new is zero."""
    after = make(cls, lengths, isinstance(before, Block))
    for field in fields_of(cls):
        old = getattr(before, field.name)
        if field.axes is None:
            setattr(after, field.name, old)
        elif not isinstance(field.axes, _Span):
            getattr(after, field.name)[tuple(map(slice, old.shape))] = old
    return after


class Room:
    """Structures that kernels use together, with axes that become longer where need be.

    The structure of the error is one with the fields `error` and `full`: a kernel leaves the error
    FULL, and the number of the axis that is too short among those that grow, and does the rest when
    it is called again.
    """

    def __init__(
        self,
        classes: Iterable[type],
        lengths: Mapping[str, int],
        compiled: bool,
        growing: tuple[str, ...],
    ) -> None:
        self.lengths, self.compiled, self.growing = dict(lengths), compiled, growing
        self.structures: dict[type, Any] = {}
        self.add(*classes)
        [self._errors] = (cls for cls in classes if "full" in cls.__annotations__)
        self.answers: dict[int, Callable[[Room], None]] = {FULL: Room._make_room}

    def add(self, *classes: type) -> None:
        """Make more structures."""
        for cls in classes:
            self.structures[cls] = make(cls, self.lengths, self.compiled)

    def __getitem__(self, cls: type[T]) -> T:
        return self.structures[cls]  # type: ignore[no-any-return]

    def grow(self, axis: str) -> None:
        """Make an axis of all structures twice as long."""
        self.lengths[axis] = 2 * max(self.lengths[axis], 1)
        for cls, before in self.structures.items():
            if axis in axes_of(cls):
                self.structures[cls] = grown(before, cls, self.lengths)

    def call(self, entry: Callable[..., Any], *arguments: Any) -> Any:
        """Call an entry, with structures for classes among its arguments.

        It is called again as long as it leaves an error that can be answered: where there is no
        room, that is made; other answers are in `answers`.
        """
        structures = self.structures
        while True:
            answer = entry(*[structures[a] if type(a) is type else a for a in arguments])
            answered = self.answers.get(structures[self._errors].error)
            if answered is None:
                return answer
            answered(self)

    def _make_room(self) -> None:
        self.grow(self.growing[self.structures[self._errors].full])
