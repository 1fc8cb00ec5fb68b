using System.Collections.Concurrent;
using System.Text.Json.Nodes;
using Wirelab;
using Wirelab.Lanes;

namespace OpcUa;

/// <summary>Many callers at a time: in a session that they share, or each in one of its own.</summary>
public sealed class Callers : ILaneWork<ICallerSession?, Outcome>
{
    private const string Join = "join";
    private const int Shared = 0;

    /// <summary>Share of the time allowed to stop in that is for leaving the server.</summary>
    private const int StopShare = 4;

    private readonly ICallers _library;
    private readonly bool _apart;
    private readonly ConcurrentDictionary<int, ICallerSession> _sessions = new();

    private Callers(Spec spec, ICallers library)
    {
        _library = library;
        _apart = spec.Operations.Any(operation => operation.Due == Join);
    }

    public IReadOnlyCollection<string> Operations => [NodeLists.Read];

    public Joining? Joining => _apart ? (call, _) => Open(call.Lane) : null;

    /// <summary>Plays the lanes of a spec that has steps.</summary>
    public static void Play(Worker worker, ICallers library)
    {
        var callers = new Callers(worker.Spec, library);
        try
        {
            callers.Prepare().GetAwaiter().GetResult();
            callers.CarryOut(worker);
        }
        finally
        {
            Closing.Within(worker.Spec.Limits.StopNs / StopShare, callers.Close);
        }
    }

    public ICallerSession? Prepare(LaneCall call) => _sessions.GetValueOrDefault(_apart ? call.Lane : Shared);

    public Task<Outcome> Call(ICallerSession? asked, LaneCall call, CancellationToken limit) =>
        asked?.Read() ?? Task.FromResult(NotOpened);

    public Outcome Judge(LaneCall call, Outcome answer) => answer;

    public Outcome Explain(LaneCall call, Exception thrown) => _library.Failed(thrown);

    private static Outcome NotOpened => Outcome.Failed(
        Status.Disconnected, new Fault(Scope.Call, "NotOpened", "", "its session could not be opened"));

    private async Task Prepare()
    {
        await _library.Prepare().ConfigureAwait(false);
        if (!_apart)
        {
            await Open(Shared).ConfigureAwait(false);
        }
    }

    private async Task Open(int user) => _sessions[user] = await _library.Open().ConfigureAwait(false);

    private void CarryOut(Worker worker)
    {
        var lanes = new TaskLanes<ICallerSession?, Outcome>(worker, this);
        lanes.Preflight();
        worker.Ready(new JsonObject
        {
            ["library"] = new JsonObject { ["name"] = _library.Library.Name, ["version"] = _library.Library.Version },
            ["capabilities"] = new JsonArray([.. _library.Capabilities.Select(one => (JsonNode)one)]),
        });
        lanes.Run();
    }

    private Task Close() => Task.WhenAll(_sessions.Values.Select(session => session.Close()));
}
