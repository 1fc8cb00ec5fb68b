using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace Codec;

/// <summary>Urgency of a reading.</summary>
public enum Level
{
    None,
    Low,
    High,
}

/// <summary>The same with a value more.</summary>
public enum WiderLevel
{
    None,
    Low,
    High,
    Critical,
}

/// <summary>A reading; its note may be left out, and all else is required.</summary>
public sealed class Base
{
    public required int Sensor { get; set; }
    public required string Name { get; set; }
    public string? Note { get; set; }
    public required int Count { get; set; }
    public required Level Level { get; set; }
}

/// <summary>With one more that may be left out.</summary>
public sealed class Added
{
    public required int Sensor { get; set; }
    public required string Name { get; set; }
    public string? Note { get; set; }
    public required int Count { get; set; }
    public required Level Level { get; set; }
    public string? Unit { get; set; }
}

/// <summary>Without the note.</summary>
public sealed class Removed
{
    public required int Sensor { get; set; }
    public required string Name { get; set; }
    public required int Count { get; set; }
    public required Level Level { get; set; }
}

/// <summary>In another order.</summary>
public sealed class Reordered
{
    public required int Count { get; set; }
    public required string Name { get; set; }
    public string? Note { get; set; }
    public required int Sensor { get; set; }
    public required Level Level { get; set; }
}

/// <summary>With a title in the place of the name.</summary>
public sealed class Renamed
{
    public required int Sensor { get; set; }
    public required string Title { get; set; }
    public string? Note { get; set; }
    public required int Count { get; set; }
    public required Level Level { get; set; }
}

/// <summary>With a count of 64 bits.</summary>
public sealed class Widened
{
    public required int Sensor { get; set; }
    public required string Name { get; set; }
    public string? Note { get; set; }
    public required long Count { get; set; }
    public required Level Level { get; set; }
}

/// <summary>With a count in words.</summary>
public sealed class Retyped
{
    public required int Sensor { get; set; }
    public required string Name { get; set; }
    public string? Note { get; set; }
    public required string Count { get; set; }
    public required Level Level { get; set; }
}

/// <summary>With the wider enumeration.</summary>
public sealed class Enumeration
{
    public required int Sensor { get; set; }
    public required string Name { get; set; }
    public string? Note { get; set; }
    public required int Count { get; set; }
    public required WiderLevel Level { get; set; }
}

/// <summary>With one more that must be there.</summary>
public sealed class Required
{
    public required int Sensor { get; set; }
    public required string Name { get; set; }
    public string? Note { get; set; }
    public required int Count { get; set; }
    public required Level Level { get; set; }
    public required string Zone { get; set; }
}

/// <summary>Between the record of <c>evolution</c> and neutral values, beside every contender's own way.</summary>
internal static class Readings
{
    private static readonly JsonSerializerOptions _options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    /// <summary>The record of a version in its neutral form.</summary>
    public static V Of<V>(JsonElement neutral) => neutral.Deserialize<V>(_options)!;

    /// <summary>All fields of a record; of an enumeration the name, or the number of a value that has none.</summary>
    public static JsonNode Neutral<V>(V reading) => JsonSerializer.SerializeToNode(reading, _options)!;
}
