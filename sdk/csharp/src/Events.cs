using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>Events of a worker: one JSON object a line on standard output. Safe from several threads.</summary>
public sealed class Events(Stream output)
{
    /// <summary>The contract asks for no more errors of a class than these.</summary>
    private const int ErrorsOfAClass = 100;

    /// <summary>Characters kept of a message; escaped six-fold it still fits the contract's 64 KiB line.</summary>
    private const int MessageLimit = 8_000;

    private const int NameLimit = 200;

    private readonly object _gate = new();
    private readonly Dictionary<string, int> _errors = [];
    private bool _done;

    /// <summary>
    /// Takes standard output for the events alone. What a library prints goes to standard error from here on,
    /// where it cannot break a line of the contract.
    /// </summary>
    public static Events OnStandardOutput()
    {
        var events = new Events(Console.OpenStandardOutput());
        Console.SetOut(Console.Error);
        return events;
    }

    /// <summary>Says <c>ready</c>, with what the worker adds: library, endpoint, facts, capabilities.</summary>
    internal void Ready(JsonObject said)
    {
        JsonObject ready = Event("ready");
        ready["contract"] = Spec.Contract;
        ready["monotonic_ns"] = Clock.Now;
        ready["runtime"] = new JsonObject
        {
            ["name"] = ".NET",
            ["version"] = RuntimeInformation.FrameworkDescription.Split(' ')[^1],
        };
        Say(Merged(ready, said));
    }

    /// <summary>Says how many records there are so far; no more than once a second.</summary>
    public void Progress(long records) => Say(Merged(Event("progress"), new() { ["records"] = records }));

    /// <summary>Says that a step of a closed loop has ended: its begin and end on CLOCK_MONOTONIC.</summary>
    public void Step(string name, long beginNs, long endNs) =>
        Say(Merged(Event("step"), new() { ["name"] = name, ["begin_ns"] = beginNs, ["end_ns"] = endNs }));

    /// <summary>Says what the runtime knows of itself.</summary>
    internal void Runtime(JsonObject figures) =>
        Say(Merged(Merged(Event("runtime"), new() { ["monotonic_ns"] = Clock.Now }), figures));

    /// <summary>Says a fault, unless its class was already said often enough.</summary>
    /// <param name="fault">What went wrong.</param>
    /// <param name="operation">The name of the operation; empty for none.</param>
    /// <param name="intendedNs">When the operation was to start; 0 for none.</param>
    /// <param name="monotonicNs">When the fault was seen.</param>
    public void Error(Fault fault, string operation, long intendedNs, long monotonicNs)
    {
        lock (_errors)
        {
            int before = _errors.GetValueOrDefault(fault.Kind);
            _errors[fault.Kind] = before + 1;
            if (before >= ErrorsOfAClass && fault.Scope != Scope.Fatal)
            {
                return;
            }
        }
        Say(Merged(Event("error"), new()
        {
            ["class"] = Shortened(fault.Kind, NameLimit),
            ["status"] = Shortened(fault.Status, NameLimit),
            ["message"] = Shortened(fault.Message, MessageLimit),
            ["scope"] = fault.Scope.ToString().ToLowerInvariant(),
            ["operation"] = operation,
            ["intended_ns"] = intendedNs,
            ["monotonic_ns"] = monotonicNs,
        }));
    }

    /// <summary>Says <c>done</c>; whatever is said later is dropped, as nothing may follow it.</summary>
    /// <param name="records">Records of the sample file.</param>
    /// <param name="answers">Lines of the answers file.</param>
    /// <param name="checksum">Of the answers file.</param>
    /// <param name="batches">Lines of the batch file; null where the role has none.</param>
    public void Done(long records, long answers, string checksum, long? batches = null)
    {
        JsonObject done = Event("done");
        done["records"] = records;
        done["answers"] = answers;
        done["checksum"] = checksum;
        if (batches is not null)
        {
            done["batches"] = batches;
        }
        lock (_gate)
        {
            Say(done);
            _done = true;
        }
    }

    private static JsonObject Event(string name) => new() { ["event"] = name };

    private static JsonObject Merged(JsonObject said, JsonObject more)
    {
        foreach ((string key, JsonNode? value) in more)
        {
            said[key] = value?.DeepClone();
        }
        return said;
    }

    private void Say(JsonObject said)
    {
        byte[] line = Encoding.UTF8.GetBytes(said.ToJsonString() + "\n");
        lock (_gate)
        {
            if (!_done)
            {
                output.Write(line);
                output.Flush();
            }
        }
    }

    private static string Shortened(string text, int limit) =>
        text.Length <= limit ? text : text[..(limit - 1)] + "…";
}
