using System.Text.Json;
using System.Text.Json.Serialization;

namespace Whiteboard;

/// <summary>Parts of a message that tell where it goes.</summary>
/// <param name="Type"><c>join</c>, <c>joined</c> or <c>draw</c>.</param>
/// <param name="Board">The name of the board.</param>
/// <param name="User">The number of the user.</param>
internal sealed record BoardMessage(string? Type, string? Board, long? User)
{
    /// <summary>True where it names all that a message must.</summary>
    [JsonIgnore]
    public bool IsComplete => Type is not null && Board is not null && User is not null;

    /// <summary>The message in <paramref name="text"/>; null where there is none.</summary>
    public static BoardMessage? Of(ReadOnlySpan<byte> text)
    {
        try
        {
            BoardMessage? message = JsonSerializer.Deserialize(text, Messages.Default.BoardMessage);
            return message is { IsComplete: true } ? message : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}

/// <summary>The whole of a draw message, for servers that write it again.</summary>
public sealed record Drawing(
    string Type,
    string Board,
    long User,
    long Seq,
    string Color,
    int Width,
    int[][] Points,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Pad = null);

/// <summary>Reading and writing of messages, made when the program is compiled.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(BoardMessage))]
[JsonSerializable(typeof(Drawing))]
internal sealed partial class Messages : JsonSerializerContext;
