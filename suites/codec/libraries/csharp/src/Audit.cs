namespace Codec;

/// <summary>
/// A loop's work on inputs that were changed in place, whose results are looked at later: see <i>Audits</i> in the
/// README.md of the suite.
/// </summary>
/// <param name="inputs">What the loop works on.</param>
/// <param name="change">Puts twins in the places of the inputs, and undoes it when called again.</param>
/// <param name="produce">The operation.</param>
/// <param name="look">The fold of the result at a place, and one more where it is not what is wanted there.</param>
/// <param name="passing">Whether a result lasts only until the next one.</param>
/// <param name="spoil">Does to results what their owner may do; none where their library may go on with them.</param>
internal sealed class Audit<I, R>(
    I[] inputs, Action change, Func<I, R> produce, Func<R, int, uint> look, bool passing, Action<R[]>? spoil = null)
{
    /// <summary>Results of each input before others are looked at: what is given again is another by then.</summary>
    private const int Meanwhile = 2;

    /// <summary>The checksum of one iteration of each input.</summary>
    public uint Run()
    {
        var results = new R[inputs.Length];
        uint sum = Produce(results);
        if (passing)
        {
            return sum;
        }
        for (int i = 0; i < Meanwhile * inputs.Length; i++)
        {
            produce(inputs[i % inputs.Length]);
        }
        for (int i = 0; i < results.Length; i++)
        {
            sum += look(results[i], i);
        }
        spoil?.Invoke(results);
        return sum;
    }

    /// <summary>Fills <paramref name="results"/> while inputs are changed; looks at those that would not last.</summary>
    private uint Produce(R[] results)
    {
        uint sum = 0;
        change();
        try
        {
            for (int i = 0; i < inputs.Length; i++)
            {
                results[i] = produce(inputs[i]);
                sum += passing ? look(results[i], i) : 0;
            }
        }
        finally
        {
            change();
        }
        return sum;
    }
}
