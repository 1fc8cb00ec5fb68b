using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Codec;

/// <summary>Between native values and JSON, beside every contender's own way.</summary>
internal static class Neutral
{
    public static List<int> Integers(JsonElement list) =>
        list.EnumerateArray().Select(one => one.GetInt32()).ToList();

    public static List<string> Strings(JsonElement list) =>
        list.EnumerateArray().Select(one => one.GetString()!).ToList();

    /// <summary>JSON has no form for what is not finite, which only damaged input gives: its name.</summary>
    public static JsonNode Of(double value) =>
        double.IsFinite(value) ? value : value.ToString(CultureInfo.InvariantCulture);

    /// <summary>A list; null where damaged input left it out.</summary>
    public static JsonArray? Of<T>(List<T>? values, Func<T, JsonNode?> element) =>
        values is null ? null : new JsonArray([.. values.Select(element)]);
}
