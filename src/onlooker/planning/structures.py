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

Structures that are made together lie side by side in one piece of memory. Without compilation a
structure is an object of its class; with it a `Block`, of which compiled functions get the address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from math import prod
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from onlooker.planning.compiling import load_numba

T = TypeVar("T")

# The number at the end is that of the axes; the last axis runs fastest.
Bools1 = Annotated[NDArray[np.bool_], np.bool_, 1]
Bools2 = Annotated[NDArray[np.bool_], np.bool_, 2]
Ints1 = Annotated[NDArray[np.int64], np.int64, 1]
Ints2 = Annotated[NDArray[np.int64], np.int64, 2]
Ints3 = Annotated[NDArray[np.int64], np.int64, 3]
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
    """All arrays from one field to another, as one row: they are of one type, side by side.

    Its name is an axis too, for structures that are made after it.
    """
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
def spans_of(cls: type) -> tuple[str, ...]:
    """The names of all spans of a structure."""
    return tuple(field.name for field in fields_of(cls) if isinstance(field.axes, _Span))


def spanned(cls: type, name: str) -> tuple[str, ...]:
    """The names of the arrays that a span has."""
    names = [field.name for field in fields_of(cls)]
    [axes] = (field.axes for field in fields_of(cls) if field.name == name)
    assert isinstance(axes, _Span)
    return tuple(names[names.index(axes.first) : names.index(axes.last) + 1])


@cache
def axes_of(cls: type) -> tuple[str, ...]:
    """The names of all axes of a structure."""
    found = (f.axes for f in fields_of(cls) if f.axes and not isinstance(f.axes, _Span))
    return tuple(dict.fromkeys(a for names in found for a in names if isinstance(a, str)))


class Layout(NamedTuple):
    """Where the arrays of a structure lie if its axes have some lengths."""

    arrays: dict[str, tuple[tuple[int, ...], Any, int]]  # shape, type and offset in bytes
    numbers: dict[str, tuple[int, Any]]  # slot and kind
    words: int  # of the header: a word for a number, an offset and a shape for an array
    size: int  # bytes of all arrays


@cache
def layout_of(cls: type, lengths: tuple[int, ...]) -> Layout:
    """The layout of a structure with axes of some lengths, in the order of `axes_of`."""
    length: dict[Axis, int] = dict(zip(axes_of(cls), lengths, strict=True))
    arrays: dict[str, tuple[tuple[int, ...], Any, int]] = {}
    words = size = 0
    for field in fields_of(cls):
        words = field.slot + 1
        if isinstance(field.axes, _Span):
            (_, _, start), (shape, _, last) = arrays[field.axes.first], arrays[field.axes.last]
            arrays[field.name] = ((last - start) // WORD + prod(shape),), field.kind, start
            words += 1
        elif field.axes is not None:
            shape = tuple(a if isinstance(a, int) else length[a] for a in field.axes)
            arrays[field.name] = shape, field.kind, size
            size += -(-prod(shape) * np.dtype(field.kind).itemsize // WORD) * WORD
            words += len(shape)
    numbers = {f.name: (f.slot, f.kind) for f in fields_of(cls) if f.axes is None}
    return Layout(arrays, numbers, words, size)


class _Part(NamedTuple):
    """One of the structures that lie in one piece of memory; places are in bytes."""

    cls: type
    layout: Layout
    start: int  # of its header
    arrays: int  # where these begin


class Block:
    """A structure as compiled functions see it: its header in memory, and its arrays after that."""

    def __init__(self, part: _Part, memory: Any, address: int) -> None:
        self.__dict__.update(part=part, memory=memory, address=address + part.start)

    def __getattr__(self, name: str) -> Any:
        part, memory = self.part, self.memory
        if name in part.layout.numbers:
            slot, kind = part.layout.numbers[name]
            words = memory.view(np.float64) if kind is float else memory
            return kind(words[part.start // WORD + slot])
        if name not in part.layout.arrays:
            raise AttributeError(name)
        shape, kind, offset = part.layout.arrays[name]
        self.__dict__[name] = found = np.ndarray(shape, kind, memory, part.arrays + offset)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        slot, kind = self.part.layout.numbers[name]
        words = self.memory.view(np.float64) if kind is float else self.memory
        words[self.part.start // WORD + slot] = value


@cache
def _block_of(cls: type) -> type[Block]:
    """The blocks of a structure, which numba knows by their type."""
    load_numba()  # before `borrowing`, which imports all of it
    from onlooker.planning.borrowing import Borrowed

    return type(cls.__name__, (Block,), {"_numba_type_": Borrowed(cls)})


class _Plan(NamedTuple):
    """How structures lie together: all headers, then the arrays of each."""

    parts: tuple[_Part, ...]
    headers: NDArray[np.int64]
    words: int


@lru_cache(256)
def _plan(classes: tuple[type, ...], lengths: tuple[tuple[str, int], ...], numbers: Any) -> _Plan:
    length, layouts, parts = dict(lengths), list[Layout](), list[_Part]()
    for cls in classes:
        layouts.append(layout_of(cls, tuple(length[axis] for axis in axes_of(cls))))
        length |= {name: layouts[-1].arrays[name][0][0] for name in spans_of(cls)}
    headers = np.zeros(sum(layout.words for layout in layouts), np.int64)
    start, arrays = 0, headers.nbytes
    for cls, layout in zip(classes, layouts, strict=True):
        header = headers[start // WORD :]
        for field in fields_of(cls):
            if field.axes is not None:  # an offset from its header, and a shape
                shape, _, offset = layout.arrays[field.name]
                place = arrays + offset - start
                header[field.slot : field.slot + 1 + len(shape)] = place, *shape
            elif field.name in getattr(numbers, "_fields", ()):
                words = header.view(np.float64) if field.kind is float else header
                words[field.slot] = getattr(numbers, field.name)
        parts.append(_Part(cls, layout, start, arrays))
        start, arrays = start + WORD * layout.words, arrays + layout.size
    return _Plan(tuple(parts), headers, arrays // WORD)


def make(
    classes: tuple[type, ...], lengths: Mapping[str, int], compiled: bool, numbers: Any = None
) -> dict[type, Any]:
    """Structures whose axes have some lengths, side by side in one piece of memory.

    `numbers` is a named tuple: fields of its names begin with its values, in any structure.
    """
    parts, headers, words = _plan(classes, tuple(lengths.items()), numbers)
    memory = np.zeros(words, np.int64)
    memory[: len(headers)] = headers
    address = memory.__array_interface__["data"][0]
    if compiled:
        return {part.cls: _block_of(part.cls)(part, memory, address) for part in parts}
    return {part.cls: _plain(Block(part, memory, address)) for part in parts}


def _plain(block: Block) -> Any:
    """A structure as kernels see it that are not compiled."""
    made = block.part.cls()
    for field in fields_of(block.part.cls):
        setattr(made, field.name, getattr(block, field.name))
    return made


def grown(before: T, cls: type[T], lengths: Mapping[str, int]) -> T:
    """The same structure with axes that are longer; what is new is zero."""
    after: T = make((cls,), lengths, isinstance(before, Block))[cls]
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
        numbers: Any = None,
    ) -> None:
        self.lengths, self.compiled, self.growing = dict(lengths), compiled, growing
        self.structures: dict[type, Any] = {}
        self.add(*classes, numbers=numbers)
        self._errors = next(cls for cls in classes if "full" in cls.__annotations__)
        self.answers: dict[int, Callable[[Room], None]] = {FULL: Room._make_room}

    def add(self, *classes: type, numbers: Any = None, **lengths: int) -> None:
        """Make more structures, with axes of some new lengths; see `make` for the numbers."""
        self.lengths |= lengths
        self.structures |= make(classes, self.lengths, self.compiled, numbers)

    def __getitem__(self, cls: type[T]) -> T:
        return self.structures[cls]  # type: ignore[no-any-return]

    def grow(self, axis: str, length: int | None = None) -> None:
        """Make an axis of all structures that long, or twice as long as it is."""
        self.lengths[axis] = length or 2 * max(self.lengths[axis], 1)
        lengths, longer = dict(self.lengths), {axis}
        for cls, before in self.structures.items():
            if longer.intersection(axes_of(cls)):
                self.structures[cls] = grown(before, cls, lengths)
            for name in spans_of(cls):
                lengths[name] = len(getattr(self.structures[cls], name))
                if lengths[name] > len(getattr(before, name)):
                    longer.add(name)

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
