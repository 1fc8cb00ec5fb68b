package io.wirelab.codec.protobuf;

import codec.evolution.proto.Added;
import codec.evolution.proto.Base;
import codec.evolution.proto.Enumeration;
import codec.evolution.proto.Removed;
import codec.evolution.proto.Renamed;
import codec.evolution.proto.Reordered;
import codec.evolution.proto.Required;
import codec.evolution.proto.Retyped;
import codec.evolution.proto.Widened;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.wirelab.codec.evolution.VersionCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One version of the record, whose fields are reached by their names. */
record MessageVersion(Class<?> type, Message message) implements VersionCodec {
    private static final List<Message> MESSAGES = List.of(Base.getDefaultInstance(),
            Added.getDefaultInstance(), Removed.getDefaultInstance(),
            Reordered.getDefaultInstance(), Renamed.getDefaultInstance(),
            Widened.getDefaultInstance(), Retyped.getDefaultInstance(),
            Enumeration.getDefaultInstance(), Required.getDefaultInstance());

    /** The version that has a class. */
    static MessageVersion of(Class<?> type) {
        for (Message message : MESSAGES) {
            if (message.getDescriptorForType().getName().equals(type.getSimpleName())) {
                return new MessageVersion(type, message);
            }
        }
        throw new IllegalArgumentException("no message is called " + type.getSimpleName());
    }

    @Override
    public byte[] encode(Object reading) throws ReflectiveOperationException {
        Message.Builder builder = message.newBuilderForType();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            Object value = type.getField(field.getName()).get(reading);
            if (value != null) {
                builder.setField(field, value instanceof Enum<?> level
                        ? field.getEnumType().findValueByNumber(level.ordinal()) : value);
            }
        }
        return builder.build().toByteArray();
    }

    /** A message, which keeps the fields that its version does not know. */
    @Override
    public Message decode(byte[] bytes) throws InvalidProtocolBufferException {
        return message.getParserForType().parseFrom(bytes);
    }

    @Override
    public Map<String, Object> neutral(Object decoded) {
        Message read = (Message) decoded;
        Map<String, Object> fields = new LinkedHashMap<>();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (!field.hasPresence() || read.hasField(field)) {
                Object value = read.getField(field);
                fields.put(field.getName(),
                        value instanceof EnumValueDescriptor level ? level.getNumber() : value);
            }
        }
        return fields;
    }

    @Override
    public byte[] again(byte[] bytes) throws InvalidProtocolBufferException {
        return decode(bytes).toByteArray();
    }
}
