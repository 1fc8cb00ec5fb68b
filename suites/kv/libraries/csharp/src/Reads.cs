using System.Collections.Concurrent;
using System.Text.Json.Nodes;
using Wirelab.Lanes;

namespace Wirelab.Kv;

/// <summary>A batch of a step, and what it gave the first time.</summary>
internal sealed class Batch<TBatch>(Draw draw, int number, TBatch asked)
{
    private RowSummary? _first;

    public Draw Draw => draw;

    public int Number => number;

    public TBatch Asked => asked;

    /// <summary>What it gave the first time, which is <paramref name="seen"/> where this is the first.</summary>
    public RowSummary First(RowSummary seen) => Interlocked.CompareExchange(ref _first, seen, null) ?? seen;
}

/// <summary>The operation <c>read</c>, as lanes perform it: batches prepared, the store connected once, results checked.</summary>
internal sealed class Reads<TBatch>(Spec spec, IStore<TBatch> store) : ILaneWork<Batch<TBatch>, Row?[]>
{
    private readonly Dictionary<Draw, Batch<TBatch>[]> _drawn = [];

    /// <summary>By the name of a step; steps that draw alike have the same.</summary>
    private readonly ConcurrentDictionary<string, Batch<TBatch>[]> _byStep = new();

    private readonly SemaphoreSlim _connecting = new(1);
    private volatile bool _connected;

    public IReadOnlyCollection<string> Operations => ["read"];

    public void Begin(Step step)
    {
        Draw draw = Draw.Of(step.Parameters);
        if (!_drawn.TryGetValue(draw, out Batch<TBatch>[]? batches))
        {
            batches = Enumerable.Range(0, Draw.Batches).Select(number => BatchOf(draw, number)).ToArray();
            _drawn[draw] = batches;
        }
        _byStep[step.Name] = batches;
    }

    public bool InRounds(Step step) => step.Parameters.Flag("barrier", false);

    public Batch<TBatch> Prepare(LaneCall call) => _byStep[call.Step.Name][Draw.BatchOf(call.Tick, call.Lane)];

    /// <summary>Connects, unless that has been done.</summary>
    public async Task Connect(CancellationToken limit)
    {
        await _connecting.WaitAsync(limit).ConfigureAwait(false);
        try
        {
            if (!_connected)
            {
                await store.Connect(limit).ConfigureAwait(false);
                _connected = true;
            }
        }
        finally
        {
            _connecting.Release();
        }
    }

    /// <summary>Reads; it connects where nobody has.</summary>
    public Task<Row?[]> Call(Batch<TBatch> batch, LaneCall call, CancellationToken limit) =>
        _connected ? store.Read(batch.Asked, limit) : ConnectAndRead(batch, limit);

    /// <summary>Like the same batch before, or a wrong answer.</summary>
    public Outcome Judge(LaneCall call, Row?[] rows)
    {
        Batch<TBatch> batch = Prepare(call);
        RowSummary seen = Rows.SummaryOf(rows);
        RowSummary first = batch.First(seen);
        if (seen.Rows != batch.Draw.Keys || seen != first)
        {
            string said = $"batch {batch.Number} of {batch.Draw}: {seen}, the first time {first}";
            return Outcome.Failed(Status.WrongAnswer, new Fault(Scope.Call, "WrongAnswer", "", said));
        }
        return new Outcome(Status.Ok, [], seen.Found, () => new JsonObject
        {
            ["batch"] = batch.Number,
            ["set"] = batch.Draw.Set,
            ["keys"] = batch.Draw.Keys,
            ["found"] = seen.Found,
            ["checksum"] = Rows.Checksum(rows).ToString("x16"),
        });
    }

    public Outcome Explain(LaneCall call, Exception thrown) =>
        Outcome.Failed(store.StatusOf(thrown), Fault.OfCall(thrown, store.NameOf(thrown)));

    private Batch<TBatch> BatchOf(Draw draw, int number) =>
        new(draw, number, store.Prepare(draw.Set, draw.KeysOf(spec.Seed, number)));

    private async Task<Row?[]> ConnectAndRead(Batch<TBatch> batch, CancellationToken limit)
    {
        await Connect(limit).ConfigureAwait(false);
        return await store.Read(batch.Asked, limit).ConfigureAwait(false);
    }
}
