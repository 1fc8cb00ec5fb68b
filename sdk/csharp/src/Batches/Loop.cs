namespace Wirelab.Batches;

/// <summary>An operation repeated over the instances of a pool; iteration i works on instance i mod the size.</summary>
public abstract class Loop(int size)
{
    /// <summary>Instances.</summary>
    public int Size => size;

    /// <summary>
    /// Does what the suite defines as an audit of all instances, and leaves them as they were; none where nothing
    /// comes of it.
    /// </summary>
    public Func<uint>? Audit { get; init; }

    /// <summary>Works so many times; the sum of the folds of all iterations, modulo 2^32.</summary>
    /// <exception cref="LoopStopped">The core said stop: a batch that was cut short is none.</exception>
    public uint Run(long iterations, Commands commands)
    {
        uint sum = 0;
        for (long left = iterations; left > 0; left -= size)
        {
            if (commands.Stopped)
            {
                throw new LoopStopped();
            }
            sum += Pass((int)Math.Min(left, size));
        }
        return sum;
    }

    /// <summary>
    /// Works on the first instances of the pool. Short, and called again and again, so that it is compiled as a
    /// whole like a user's method, and not in the middle of a loop that has been running for seconds.
    /// </summary>
    protected abstract uint Pass(int iterations);
}

/// <summary>The core said stop while a batch was under way.</summary>
public sealed class LoopStopped() : OperationCanceledException("stopped");
