namespace Wirelab.Kv;

/// <summary>Values that are stored under a key.</summary>
/// <param name="Integers">Bins <c>c0</c> to <c>c4</c>.</param>
/// <param name="Doubles">Bins <c>d0</c> to <c>d7</c>.</param>
public sealed record Row(long[] Integers, double[] Doubles)
{
    /// <summary>Bins that are integers.</summary>
    public const int IntegerBins = 5;

    /// <summary>Bins that are doubles.</summary>
    public const int DoubleBins = 8;
}
