package io.wirelab.codec.flatbuffers;

import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.ViewCodec;
import io.wirelab.codec.shapes.Author;
import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.Fold;
import java.nio.ByteBuffer;
import java.util.ArrayList;

/** A message of a whiteboard; its strokes are {@link FlatbuffersStrokes}. */
final class FlatbuffersChatCodec implements ViewCodec<Chat, codec.Chat> {
    @Override
    public byte[] encode(Chat value) {
        FlatBufferBuilder builder = new FlatBufferBuilder(FlatbuffersContender.CHAT_BYTES);
        int id = builder.createString(value.id);
        int board = builder.createString(value.board);
        int name = builder.createString(value.author.name);
        int author = codec.Author.createAuthor(builder, value.author.id, name,
                value.author.active);
        int text = builder.createString(value.text);
        int mentions = Vectors.strings(builder, value.mentions);
        int strokes = FlatbuffersStrokes.build(builder, value.strokes);
        builder.finish(codec.Chat.createChat(builder, id, value.sent, board, author, text,
                mentions, strokes));
        return builder.sizedByteArray();
    }

    @Override
    public codec.Chat decode(byte[] bytes) {
        return codec.Chat.getRootAsChat(ByteBuffer.wrap(bytes));
    }

    @Override
    public int fold(codec.Chat view) {
        codec.Author author = view.author();
        int mentions = view.mentionsLength();
        int sum = 3 * Fold.string(view.id())
                + 5 * (int) view.sent()
                + 7 * Fold.string(view.board())
                + 9 * (int) author.id()
                + 11 * Fold.string(author.name())
                + 13 * (author.active() ? 1 : 0)
                + 15 * Fold.string(view.text())
                + Fold.LENGTH * (mentions + view.strokesLength());
        for (int i = 0; i < mentions; i++) {
            sum += Fold.weight(i) * Fold.string(view.mentions(i));
        }
        return sum + FlatbuffersStrokes.fold(view);
    }

    @Override
    public Chat copy(codec.Chat view) {
        Chat value = new Chat();
        value.id = view.id();
        value.sent = view.sent();
        value.board = view.board();
        value.author = new Author();
        value.author.id = view.author().id();
        value.author.name = view.author().name();
        value.author.active = view.author().active();
        value.text = view.text();
        value.mentions = new ArrayList<>();
        for (int i = 0; i < view.mentionsLength(); i++) {
            value.mentions.add(view.mentions(i));
        }
        value.strokes = FlatbuffersStrokes.copy(view);
        return value;
    }
}
