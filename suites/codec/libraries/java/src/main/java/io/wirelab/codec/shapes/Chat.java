package io.wirelab.codec.shapes;

import java.util.List;

/** A message of a shared whiteboard. */
public final class Chat {
    public String id;
    public long sent;
    public String board;
    public Author author;
    public String text;
    public List<String> mentions;
    public List<Stroke> strokes;
}
