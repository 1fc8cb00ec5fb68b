using System.Text.Json.Nodes;
using Wirelab.Lanes;

namespace Wirelab.Test;

/// <summary>
/// Work of lanes in the tests: a call is its own result, and brings something to every user. One lane hangs, or throws,
/// where the parameters say so.
/// </summary>
internal sealed class ScriptedLanes : ILaneWork<LaneCall, LaneCall>, IArrivals
{
    private readonly Fields _script;
    private long _lastNs;

    private ScriptedLanes(Fields script) => _script = script;

    public IReadOnlyCollection<string> Operations => ["read", "write"];

    public Joining? Joining => (_, limit) => Task.Delay(1, limit);

    public IArrivals? Arrivals => this;

    public bool Complete => true;

    public long LastNs => Interlocked.Read(ref _lastNs);

    public static void Play(Worker worker)
    {
        var lanes = new TaskLanes<LaneCall, LaneCall>(worker, new ScriptedLanes(worker.Spec.Parameters));
        lanes.Preflight();
        worker.Ready(new JsonObject
        {
            ["library"] = new JsonObject { ["name"] = "scripted", ["version"] = "1" },
            ["capabilities"] = new JsonArray("lanes"),
        });
        lanes.Run();
    }

    public bool InRounds(Step step) => step.Parameters.Has("rounds");

    public LaneCall Prepare(LaneCall call) => call;

    public async Task<LaneCall> Call(LaneCall asked, LaneCall call, CancellationToken limit)
    {
        if (Is(call, "hanging"))
        {
            // It does not hear of its limit.
            await new TaskCompletionSource().Task;
        }
        if (Is(call, "throwing"))
        {
            call.EndedAt(Clock.Now);
            throw new OperationCanceledException("as scripted");
        }
        await Task.Delay(1, limit);
        Interlocked.Exchange(ref _lastNs, Clock.Now);
        return asked;
    }

    public Outcome Judge(LaneCall call, LaneCall answer) =>
        new(Status.Ok, [], call.Lane, () => new JsonObject { ["lane"] = call.Lane });

    public Outcome Explain(LaneCall call, Exception thrown) =>
        Outcome.Failed(Status.Error, Fault.OfCall(thrown, ""));

    public void Begin(Step step, bool counts) => Interlocked.Exchange(ref _lastNs, Clock.Now);

    public long? CompletedNs(int user) => user == _script.Integer("unserved_user", -1) ? null : LastNs;

    private bool Is(LaneCall call, string scripted) =>
        call.Phase == Phase.Measure
        && call.Lane == _script.Integer($"{scripted}_lane", -1)
        && call.Tick == _script.Integer($"{scripted}_tick", -1);
}
