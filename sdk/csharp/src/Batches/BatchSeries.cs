using System.Security.Cryptography;

namespace Wirelab.Batches;

/// <summary>
/// The batches of one loop, as the contract's <i>Batch loops</i> say: prewarmed by turns, calibrated, warmed up, measured, counted for
/// what they allocate. <paramref name="run"/> works so many iterations on so many <paramref name="inputs"/>,
/// <paramref name="now"/> is the clock, and <paramref name="trusted"/> says whether agreement of these last batches
/// means something yet, so long after calibrating began.
/// </summary>
internal sealed class BatchSeries(
    BatchPlan plan, int inputs, Func<long, uint> run, Func<long> now, Func<IReadOnlyList<Batch>, long, bool> trusted)
{
    private const int MostTimes = 10;
    private const long MostIterations = 1_000_000_000_000;
    private const int Agreeing = 3;
    private const long AllocationPasses = 4;

    /// <summary>A batch is longer by this much than the most iterations before its audit.</summary>
    private const int AuditedPart = 8;

    private const string Prewarmed = "prewarm";
    private const string Warmup = "warmup";

    /// <summary>Batches are made so much longer than asked for, so that noise makes none shorter.</summary>
    private const double Margin = 1.05;

    private readonly List<Batch> _taken = [];
    private long _turnIterations = 1;

    /// <summary>The audit that follows each batch that counts, where there is one.</summary>
    public Func<uint>? Audit { get; init; }

    /// <summary>Batches taken so far.</summary>
    public IReadOnlyList<Batch> Taken => _taken;

    /// <summary>Takes a turn of the prewarming; whether there may be another.</summary>
    public bool Prewarm()
    {
        Batch last = Take(Prewarmed, _turnIterations);
        Audit?.Invoke();
        if (last.TookNs < plan.BatchNs)
        {
            _turnIterations = Longer(last);
        }
        return last.Iterations < MostIterations;
    }

    /// <summary>Calibrates and warms up, unless the plan gives the iterations; then measures and counts.</summary>
    public void Measure()
    {
        long iterations = plan.Iterations > 0 ? plan.Iterations : ReadyIterations();
        for (long i = 0; i < plan.Count; i++)
        {
            Take("measure", iterations);
            if (Audit is not null && plan.Iterations == 0)
            {
                LookAfter(iterations, Audit);
            }
        }
        Take("allocation", AllocationPasses * inputs);
    }

    /// <summary>Iterations of a batch as long as asked for, of code that is warm.</summary>
    private long ReadyIterations()
    {
        long beganNs = now();
        long iterations = Calibrated();
        // What takes no time never settles either.
        return iterations < MostIterations ? WarmedUp(iterations, beganNs) : iterations;
    }

    private long Calibrated()
    {
        Batch last = Take(Warmup, 1);
        while (last.TookNs < plan.BatchNs && last.Iterations < MostIterations)
        {
            last = Take(Warmup, Longer(last));
        }
        return last.Iterations;
    }

    private long WarmedUp(long iterations, long beganNs)
    {
        int first = _taken.Count;
        for (long since = now() - beganNs; since < plan.WarmupNs && !Settled(first, since); since = now() - beganNs)
        {
            Batch last = Take(Warmup, iterations);
            if (last.TookNs < plan.BatchNs)
            {
                // The code became faster.
                iterations = Longer(last);
            }
        }
        return iterations;
    }

    /// <summary>Tells whether the last batches agree, of those from <paramref name="first"/> on.</summary>
    private bool Settled(int first, long sinceNs)
    {
        if (_taken.Count - first < Agreeing)
        {
            return false;
        }
        List<Batch> last = _taken[^Agreeing..];
        double median = last.Select(batch => batch.IterationNs).Order().ElementAt(Agreeing / 2);
        return trusted(last, sinceNs) && last.All(batch => Math.Abs(batch.IterationNs - median) <= plan.Agree * median);
    }

    /// <summary>Iterations that take as long as asked for, by a batch that took less; whole passes.</summary>
    private long Longer(Batch last)
    {
        double growth = Math.Min(MostTimes, Margin * plan.BatchNs / Math.Max(1, last.TookNs));
        long iterations = Math.Max(last.Iterations + 1, (long)Math.Ceiling(last.Iterations * growth));
        if (iterations > inputs)
        {
            iterations = (iterations + inputs - 1) / inputs * inputs;
        }
        return Math.Min(iterations, MostIterations);
    }

    /// <summary>Audits after as many iterations as chance wants, so that no call tells when it is one.</summary>
    private void LookAfter(long iterations, Func<uint> audit)
    {
        RuntimeFigures before = RuntimeFigures.Now();
        long startNs = now();
        run(RandomNumberGenerator.GetInt32((int)Math.Min(int.MaxValue - 1, iterations / AuditedPart) + 1));
        uint checksum = audit();
        long endNs = now();
        _taken.Add(new Batch("audit", startNs, endNs, inputs, checksum, 0, RuntimeFigures.Now().Since(before)));
    }

    private Batch Take(string phase, long iterations)
    {
        RuntimeFigures before = RuntimeFigures.Now();
        long allocated = RuntimeFigures.Allocated;
        long startNs = now();
        uint checksum = run(iterations);
        long endNs = now();
        allocated = RuntimeFigures.Allocated - allocated;
        var batch = new Batch(
            phase, startNs, endNs, iterations, checksum, allocated, RuntimeFigures.Now().Since(before));
        _taken.Add(batch);
        return batch;
    }
}
