using System.Text.Json;
using System.Text.Json.Nodes;
using Codec;
using Codec.Evolution.Proto;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Protobuf;

/// <summary>A program of a version of the record, whose messages are filled and read by their accessors.</summary>
internal sealed class MessageVersion(string name) : IVersion
{
    private readonly MessageDescriptor _type = EvolutionReflection.Descriptor.FindTypeByName<MessageDescriptor>(
        $"{char.ToUpperInvariant(name[0])}{name[1..]}");

    public byte[] Write(JsonElement value)
    {
        var message = (IMessage)Activator.CreateInstance(_type.ClrType)!;
        foreach (JsonProperty one in value.EnumerateObject())
        {
            FieldDescriptor field = _type.FindFieldByName(one.Name);
            field.Accessor.SetValue(message, Of(field, one.Value));
        }
        return message.ToByteArray();
    }

    public JsonNode Read(byte[] bytes)
    {
        IMessage message = _type.Parser.ParseFrom(bytes);
        return new JsonObject(_type.Fields.InDeclarationOrder()
            .Select(field => KeyValuePair.Create(field.Name, Neutral(field, message))));
    }

    /// <summary>Written as the message that it is: a relay need not look into it.</summary>
    public byte[] Again(byte[] bytes) => _type.Parser.ParseFrom(bytes).ToByteArray();

    private static object Of(FieldDescriptor field, JsonElement value) => field.FieldType switch
    {
        FieldType.String => value.GetString()!,
        FieldType.Int64 => value.GetInt64(),
        FieldType.Enum => Enum.ToObject(field.EnumType.ClrType, NumberOf(field.EnumType, value.GetString()!)),
        _ => value.GetInt32(),
    };

    private static int NumberOf(EnumDescriptor level, string name) =>
        level.Values.Single(one => one.Name.EndsWith($"_{name}", StringComparison.OrdinalIgnoreCase)).Number;

    private static JsonNode? Neutral(FieldDescriptor field, IMessage message) =>
        field.HasPresence && !field.Accessor.HasValue(message)
            ? null
            : field.Accessor.GetValue(message) switch
            {
                string text => text,
                long number => number,
                object number => (int)number,
            };
}
