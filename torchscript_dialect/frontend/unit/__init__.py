"""What a program declares: functions, classes, enums, interfaces, and the types that annotations name."""
