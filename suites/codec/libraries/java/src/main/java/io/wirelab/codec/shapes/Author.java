package io.wirelab.codec.shapes;

/** Author of a message; {@code id} is unsigned with 32 bits. */
public final class Author {
    public long id;
    public String name;
    public boolean active;
}
