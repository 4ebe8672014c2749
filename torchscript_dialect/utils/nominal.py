"""Classes whose only subclasses are those that say so."""

from abc import ABCMeta


class Nominal(ABCMeta):
    """The metaclass of classes with which nobody registers others.

    An `ABC` asks all its subclasses whether they know a class as theirs, and each keeps two objects for each class that it was asked
    about: a seventh of all objects in a process that had compiled something. Here the bases of a class tell, and nothing is kept.
    """

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__
