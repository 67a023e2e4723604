/// Text terminals on bad lines: what comes in becomes keys, what goes out is as little as possible. Pure: no I/O.
public enum Terminal {}
