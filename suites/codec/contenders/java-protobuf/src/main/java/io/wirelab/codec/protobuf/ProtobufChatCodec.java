package io.wirelab.codec.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.shapes.Author;
import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.Fold;
import java.util.ArrayList;

/** A message of a whiteboard; its strokes are {@link ProtobufStrokes}. */
final class ProtobufChatCodec implements MessageCodec<Chat, codec.proto.Chat> {
    @Override
    public codec.proto.Chat toMessage(Chat value) {
        codec.proto.Chat.Builder message = codec.proto.Chat.newBuilder()
                .setId(value.id)
                .setSent(value.sent)
                .setBoard(value.board)
                .setAuthor(codec.proto.Author.newBuilder()
                        .setId((int) value.author.id)
                        .setName(value.author.name)
                        .setActive(value.author.active))
                .setText(value.text)
                .addAllMentions(value.mentions);
        for (int i = 0; i < value.strokes.size(); i++) {
            message.addStrokes(ProtobufStrokes.toMessage(value.strokes.get(i)));
        }
        return message.build();
    }

    @Override
    public byte[] encode(codec.proto.Chat message) {
        return message.toByteArray();
    }

    @Override
    public codec.proto.Chat decode(byte[] bytes) throws InvalidProtocolBufferException {
        return codec.proto.Chat.parseFrom(bytes);
    }

    @Override
    public Chat fromMessage(codec.proto.Chat message) {
        Chat value = new Chat();
        value.id = message.getId();
        value.sent = message.getSent();
        value.board = message.getBoard();
        value.author = new Author();
        value.author.id = Integer.toUnsignedLong(message.getAuthor().getId());
        value.author.name = message.getAuthor().getName();
        value.author.active = message.getAuthor().getActive();
        value.text = message.getText();
        value.mentions = new ArrayList<>(message.getMentionsList());
        value.strokes = new ArrayList<>(message.getStrokesCount());
        for (int i = 0; i < message.getStrokesCount(); i++) {
            value.strokes.add(ProtobufStrokes.fromMessage(message.getStrokes(i)));
        }
        return value;
    }

    @Override
    public int fold(codec.proto.Chat message) {
        codec.proto.Author author = message.getAuthor();
        int mentions = message.getMentionsCount();
        int strokes = message.getStrokesCount();
        int sum = 3 * Fold.string(message.getId())
                + 5 * (int) message.getSent()
                + 7 * Fold.string(message.getBoard())
                + 9 * author.getId()
                + 11 * Fold.string(author.getName())
                + 13 * (author.getActive() ? 1 : 0)
                + 15 * Fold.string(message.getText())
                + Fold.LENGTH * (mentions + strokes);
        for (int i = 0; i < mentions; i++) {
            sum += Fold.weight(i) * Fold.string(message.getMentions(i));
        }
        for (int i = 0; i < strokes; i++) {
            sum += ProtobufStrokes.fold(message.getStrokes(i));
        }
        return sum;
    }
}
