package io.wirelab.codec.msgpack;

import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.shapes.Author;
import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.Stroke;
import java.io.IOException;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** A message of a whiteboard; its strokes are {@link MsgpackStrokes}. */
final class MsgpackChatCodec implements NativeCodec<Chat> {
    private static final int FIELDS = 7;
    private static final int AUTHOR_FIELDS = 3;

    @Override
    public byte[] encode(Chat value) throws IOException {
        MessageBufferPacker packer = Packing.packer();
        packer.packMapHeader(FIELDS);
        packer.packString("id").packString(value.id);
        packer.packString("sent").packLong(value.sent);
        packer.packString("board").packString(value.board);
        packer.packString("author");
        pack(packer, value.author);
        packer.packString("text").packString(value.text);
        packer.packString("mentions");
        Packing.packStrings(packer, value.mentions);
        packer.packString("strokes").packArrayHeader(value.strokes.size());
        for (int i = 0; i < value.strokes.size(); i++) {
            MsgpackStrokes.pack(packer, value.strokes.get(i));
        }
        return packer.toByteArray();
    }

    private static void pack(MessagePacker packer, Author author) throws IOException {
        packer.packMapHeader(AUTHOR_FIELDS);
        packer.packString("id").packLong(author.id);
        packer.packString("name").packString(author.name);
        packer.packString("active").packBoolean(author.active);
    }

    @Override
    public Chat decode(byte[] bytes) throws IOException {
        MessageUnpacker unpacker = Packing.unpacker(bytes);
        Chat value = new Chat();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            switch (unpacker.unpackString()) {
                case "id" -> value.id = unpacker.unpackString();
                case "sent" -> value.sent = unpacker.unpackLong();
                case "board" -> value.board = unpacker.unpackString();
                case "author" -> value.author = unpackAuthor(unpacker);
                case "text" -> value.text = unpacker.unpackString();
                case "mentions" -> value.mentions = Packing.unpackStrings(unpacker);
                case "strokes" -> value.strokes = unpackStrokes(unpacker);
                default -> unpacker.skipValue();
            }
        }
        return value;
    }

    private static Author unpackAuthor(MessageUnpacker unpacker) throws IOException {
        Author author = new Author();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            switch (unpacker.unpackString()) {
                case "id" -> author.id = unpacker.unpackLong();
                case "name" -> author.name = unpacker.unpackString();
                case "active" -> author.active = unpacker.unpackBoolean();
                default -> unpacker.skipValue();
            }
        }
        return author;
    }

    private static List<Stroke> unpackStrokes(MessageUnpacker unpacker) throws IOException {
        int size = unpacker.unpackArrayHeader();
        List<Stroke> strokes = Packing.list(size);
        for (int i = 0; i < size; i++) {
            strokes.add(MsgpackStrokes.unpack(unpacker));
        }
        return strokes;
    }
}
