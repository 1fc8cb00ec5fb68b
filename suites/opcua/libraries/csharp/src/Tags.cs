using System.Globalization;

namespace OpcUa;

/// <summary>The tags of the suite's neutral server, as the README of the suite defines them.</summary>
public static class Tags
{
    /// <summary>Tags served.</summary>
    public const int Count = 2_000;

    /// <summary>Number of those that can be written.</summary>
    public const int Writable = Count / WriteStride;

    private const int WriteStride = 10;
    private const int FirstDouble = 1_000;
    private const int FirstString = 1_800;

    /// <summary>The node of a tag.</summary>
    public static string Node(int index) => string.Create(CultureInfo.InvariantCulture, $"ns=1;s=T{index:D4}");

    /// <summary>The tag at a position of a write.</summary>
    public static int Written(int position) => position * WriteStride;

    /// <summary>The value of a tag in a generation, in the tag's type.</summary>
    public static object Value(int index, long generation)
    {
        int x = (int)((index * 7_919L + generation * 104_729L) & int.MaxValue);
        return index switch
        {
            < FirstDouble => x,
            < FirstString => x / 1_000.0,
            _ => string.Create(CultureInfo.InvariantCulture, $"tag{index:D4}-{x:D10}"),
        };
    }
}
