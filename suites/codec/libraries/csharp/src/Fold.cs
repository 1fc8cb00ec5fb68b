namespace Codec;

/// <summary>Parts that folds are made of, modulo 2^32; strings are seen in units of UTF-16.</summary>
public static class Fold
{
    /// <summary>Weight of the length of a list or map in its fold.</summary>
    public const uint Length = 101;

    /// <summary>Length, first and last unit of a string.</summary>
    public static uint Of(string text) =>
        text.Length == 0 ? 0 : (uint)text.Length + 31u * text[0] + 17u * text[^1];

    /// <summary>A float or double, truncated towards zero.</summary>
    public static uint Of(double value) => (uint)(long)value;

    /// <summary>A flag.</summary>
    public static uint Of(bool value) => value ? 1u : 0u;

    /// <summary>Integers, weighted by position.</summary>
    public static uint Of(IList<int> values)
    {
        uint sum = 0;
        for (int i = 0; i < values.Count; i++)
        {
            sum += Weight(i) * (uint)values[i];
        }
        return sum;
    }

    /// <summary>Strings, weighted by position.</summary>
    public static uint Of(IList<string> values)
    {
        uint sum = 0;
        for (int i = 0; i < values.Count; i++)
        {
            sum += Weight(i) * Of(values[i]);
        }
        return sum;
    }

    /// <summary>An encoding.</summary>
    public static uint Of(ReadOnlySpan<byte> content) =>
        content.Length == 0
            ? 0
            : 7u * (uint)content.Length + content[0] + 3u * content[content.Length / 2] + 5u * content[^1];

    private static uint Weight(int position) => 2u * (uint)position + 1u;
}
