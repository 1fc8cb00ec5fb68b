using System.Globalization;
using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>
/// One worker process: reads the spec, opens the files, plays its part, says <c>done</c> and ends with 0; or says
/// why it cannot, and ends with 1. No thread of a library keeps it alive.
/// </summary>
public sealed class Worker
{
    private readonly RuntimeProbe _probe;

    private Worker(Spec spec, Events events)
    {
        Spec = spec;
        Events = events;
        Recorder = new Recorder(spec.Paths.Samples);
        Answers = new LineFile(spec.Paths.Answers);
        Asked = new Asked(Answers, Recorder);
        Commands = new Commands(Console.OpenStandardInput(), Asked.Hear);
        Batches = spec.Paths.Batches.Length == 0 ? null : new LineFile(spec.Paths.Batches);
        _probe = new RuntimeProbe(events, () => Recorder.Count);
    }

    /// <summary>Spec of what is to be done.</summary>
    public Spec Spec { get; }

    /// <summary>Events in which to say what happens.</summary>
    public Events Events { get; }

    /// <summary>Commands of the core.</summary>
    public Commands Commands { get; }

    /// <summary>The sample file.</summary>
    public Recorder Recorder { get; }

    /// <summary>The answers file; nothing is written to it inside the timed part.</summary>
    public LineFile Answers { get; }

    /// <summary>Results that are kept for answers that are asked for.</summary>
    internal Asked Asked { get; }

    /// <summary>The batch file; null where the role has none.</summary>
    public LineFile? Batches { get; }

    /// <summary>
    /// Has <paramref name="play"/> do what a worker does between reading its spec and saying <c>done</c>, as the
    /// process's only purpose; does not return.
    /// </summary>
    public static void Run(Action<Worker> play)
    {
        // The project says so as well; a variable of the environment would outdo it.
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.InvariantCulture;
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        Events events = Events.OnStandardOutput();
        int code = 1;
        try
        {
            var worker = new Worker(Spec.Load(Variable("WIRELAB_SPEC")), events);
            RuntimeSettings.Hold(worker.Spec.Parameters);
            RuntimeSettings.FillPool(worker.Spec.Parameters);
            worker.Commands.Listen();
            play(worker);
            worker.Finish();
            code = 0;
        }
        catch (Exception why)
        {
            GiveUp(events, why);
        }
        Environment.Exit(code);
    }

    /// <summary>An environment variable that has to be there.</summary>
    public static string Variable(string name) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } value
            ? value
            : throw new ContractException($"{name} is not set");

    /// <summary>Says <c>ready</c>, with library, endpoint, facts and capabilities where the role has them.</summary>
    public void Ready(JsonObject said)
    {
        Answers.Flush();
        Events.Ready(said);
    }

    /// <summary>Writes the answer of an operation; <paramref name="tick"/> counts from 0 in each phase.</summary>
    public void Answer(string phase, string operation, long tick, long startNs, long endNs, JsonObject answer) =>
        Answers.Write(new JsonObject
        {
            ["phase"] = phase,
            ["operation"] = operation,
            ["tick"] = tick,
            ["start_ns"] = startNs,
            ["end_ns"] = endNs,
            ["answer"] = answer,
        });

    /// <summary>Says once a second from then on how the runtime is; between two ticks is where that disturbs least.</summary>
    public void ReportFrom(long firstNs) => _probe.Start(firstNs);

    /// <summary>Says now how the runtime is: for loops, which a thread beside them would disturb.</summary>
    public void Report() => _probe.Say();

    private void Finish()
    {
        Commands.RefuseFailure();
        Asked.Close();
        Recorder.Dispose();
        Answers.Dispose();
        Batches?.Dispose();
        _probe.Say();
        string checksum = Answers.Lines == 0 ? "00000000" : Answers.Checksum;
        Events.Done(Recorder.Count, Answers.Lines, checksum, Batches?.Lines);
    }

    private static void GiveUp(Events events, Exception why)
    {
        Console.Error.WriteLine(why);
        var failure = why as WorkerFailure;
        Fault fault = failure?.Fault ?? Fault.OfCall(why, "").Fatal();
        try
        {
            events.Error(fault, failure?.Operation ?? "", 0, Clock.Now);
        }
        catch (IOException unheard)
        {
            Console.Error.WriteLine($"the error could not be reported either: {unheard.Message}");
        }
    }
}
