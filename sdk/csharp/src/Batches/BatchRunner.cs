using System.Text.Json.Nodes;

namespace Wirelab.Batches;

/// <summary>
/// Calibrates, warms up, measures and counts, as the contract's <i>Batch loops</i> say; and before, as they do not,
/// repeats all operations of a step for <c>prewarm_ms</c> of processor time. In the tens of milliseconds that a
/// short profile warms up, methods run as their first, quick compilation left them.
/// </summary>
public sealed class BatchRunner(Worker worker, BatchPlan plan)
{
    private const int MostTimes = 10;
    private const int Agreeing = 3;
    private const long CountedPools = 4;
    private const int MessageLimit = 500;

    /// <summary>A batch shorter than this share of what was asked is made longer.</summary>
    private const double TooShort = 0.9;

    private readonly Commands _commands = worker.Commands;

    /// <summary>
    /// Runs operations of <paramref name="step"/>, whose loops <paramref name="make"/> makes; what was measured of
    /// each is written when it is over.
    /// </summary>
    public void Run(string step, IEnumerable<string> operations, Func<string, Loop> make)
    {
        List<Measured> all = operations.Select(operation => new Measured(operation)).ToList();
        foreach (Measured one in all)
        {
            Attempt(one, () => one.Loop = make(one.Operation));
        }
        if (plan.Rounds == 0)
        {
            foreach (Measured one in all)
            {
                Attempt(one, () => Prewarm(one, plan.PrewarmNs / all.Count));
            }
        }
        foreach (Measured one in all)
        {
            Attempt(one, () => Measure(one));
            Write(step, one);
        }
    }

    /// <summary>Does <paramref name="part"/> unless something failed already, or the core said stop.</summary>
    private void Attempt(Measured one, Action part)
    {
        if (one.Failure is not null || _commands.Stopped)
        {
            return;
        }
        try
        {
            part();
        }
        catch (Exception thrown)
        {
            one.Failure = thrown;
        }
    }

    /// <summary>Repeats an operation for processor time of all threads: those of the compilers are among them.</summary>
    private void Prewarm(Measured one, long ns)
    {
        long end = RuntimeFigures.ProcessorNs + ns;
        long rounds = 1;
        while (RuntimeFigures.ProcessorNs < end && !_commands.Stopped)
        {
            rounds = Longer(Ran(one, "warmup", rounds), one.Loop!.Size, 1);
        }
    }

    private void Measure(Measured one)
    {
        long rounds = plan.Rounds > 0 ? plan.Rounds : Warm(one);
        for (long i = 0; i < plan.Count; i++)
        {
            Ran(one, "measure", rounds);
        }
        Ran(one, "allocation", CountedPools * one.Loop!.Size);
    }

    /// <summary>Calibrates and warms up; the rounds of a batch.</summary>
    private long Warm(Measured one)
    {
        long beganNs = Clock.Now;
        int size = one.Loop!.Size;
        long rounds = 1;
        Batch last = Ran(one, "warmup", rounds);
        while (last.TookNs < plan.BatchNs && !_commands.Stopped)
        {
            rounds = Longer(last, size, 2 * rounds);
            last = Ran(one, "warmup", rounds);
        }
        while (Clock.Now - beganNs < plan.WarmupNs && !_commands.Stopped && !Steady(one.Batches, beganNs))
        {
            last = Ran(one, "warmup", rounds);
            if (last.TookNs < TooShort * plan.BatchNs)
            {
                rounds = Longer(last, size, rounds);
            }
        }
        return rounds;
    }

    /// <summary>
    /// Whether the last batches agree, and mean something: methods are compiled again beside the loop, and batches
    /// of equally slow code agree well while better code is still being made. So agreement does not count in the
    /// first half of the time, nor while a method was compiled.
    /// </summary>
    private bool Steady(List<Batch> batches, long beganNs)
    {
        if (batches.Count < Agreeing || Clock.Now - beganNs < plan.WarmupNs / 2)
        {
            return false;
        }
        List<Batch> last = batches.GetRange(batches.Count - Agreeing, Agreeing);
        double median = last.Select(batch => batch.RoundNs).Order().ElementAt(Agreeing / 2);
        return last.All(batch =>
            batch.Cost.Compiled == 0 && Math.Abs(batch.RoundNs - median) <= plan.Agree * median);
    }

    /// <summary>Rounds for a batch as long as asked, at least so many; whole pools where there are.</summary>
    private long Longer(Batch last, int size, long least)
    {
        double wanted = plan.BatchNs / last.RoundNs;
        long rounds = Math.Max(least, (long)Math.Min(wanted * 1.02, MostTimes * last.Rounds));
        return rounds <= size ? rounds : (rounds + size - 1) / size * size;
    }

    private Batch Ran(Measured one, string phase, long rounds)
    {
        RuntimeFigures before = RuntimeFigures.Now();
        long allocated = RuntimeFigures.Allocated;
        long startNs = Clock.Now;
        uint checksum = one.Loop!.Run(rounds, _commands);
        long endNs = Clock.Now;
        allocated = RuntimeFigures.Allocated - allocated;
        var batch = new Batch(
            phase, startNs, endNs, rounds, checksum, allocated, RuntimeFigures.Now().Since(before));
        if (!_commands.Stopped)
        {
            // One that a stop cut short is none.
            one.Batches.Add(batch);
        }
        return batch;
    }

    private void Write(string step, Measured one)
    {
        LineFile file = worker.Batches ?? throw new ContractException("paths.batches: missing");
        if (one.Failure is Exception failure)
        {
            string message = failure.Message;
            file.Write(new JsonObject
            {
                ["step"] = step,
                ["operation"] = one.Operation,
                ["phase"] = "failed",
                ["class"] = failure.GetType().Name,
                ["message"] = message[..Math.Min(MessageLimit, message.Length)],
            });
            return;
        }
        foreach (Batch batch in one.Batches)
        {
            file.Write(batch.Line(step, one.Operation));
        }
    }

    /// <summary>An operation on its way through the phases.</summary>
    private sealed class Measured(string operation)
    {
        public string Operation => operation;

        public List<Batch> Batches { get; } = [];

        public Loop? Loop { get; set; }

        public Exception? Failure { get; set; }
    }
}
