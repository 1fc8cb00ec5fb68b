namespace Wirelab.Batches;

/// <summary>
/// Step 0 of the contract's <i>Batch loops</i>: operations take turns until the compilers rest. In the tens of
/// milliseconds that a short profile warms up, methods run as their first, quick compilation left them.
/// </summary>
/// <param name="leastNs">For how long turns are taken at least; of four times as long they are taken no more.</param>
/// <param name="processorNs">Processor time of this process, of its compilers with it.</param>
/// <param name="compiled">What grows while a compiler works.</param>
internal sealed class Prewarming(long leastNs, Func<long> processorNs, Func<long> compiled)
{
    private const long QuietNs = 200_000_000;
    private const int MostTimes = 4;

    /// <summary>
    /// Lets each of <paramref name="turns"/> be taken one after the other, again and again; each says whether there
    /// may be another.
    /// </summary>
    public void Run(IEnumerable<Func<bool>> turns)
    {
        List<Func<bool>> left = [.. turns];
        long beganNs = processorNs();
        long quietSinceNs = beganNs;
        long nowNs = beganNs;
        long seen = compiled();
        while (left.Count > 0 && !IsOver(nowNs - beganNs, nowNs - quietSinceNs))
        {
            foreach (Func<bool> turn in left.ToArray())
            {
                if (!turn())
                {
                    left.Remove(turn);
                }
                nowNs = processorNs();
                if (compiled() is long found && found != seen)
                {
                    seen = found;
                    quietSinceNs = nowNs;
                }
            }
        }
    }

    private bool IsOver(long workedNs, long quietNs) =>
        workedNs >= MostTimes * leastNs || (workedNs >= leastNs && quietNs >= QuietNs);
}
