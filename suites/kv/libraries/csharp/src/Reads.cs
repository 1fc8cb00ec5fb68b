using System.Collections.Concurrent;
using System.Text.Json.Nodes;
using Wirelab.Lanes;

namespace Wirelab.Kv;

/// <summary>A multi-get of a step, and what it gave the first time; of a server that forgets, the most.</summary>
internal sealed class MultiGet<TMultiGet>(Draw draw, int number, TMultiGet asked)
{
    private readonly object _knowing = new();
    private RowSummary? _first;

    public Draw Draw => draw;

    public int Number => number;

    public TMultiGet Asked => asked;

    /// <summary>Summary that is known of it, which is <paramref name="seen"/> where this is the first.</summary>
    public RowSummary Known(RowSummary seen, bool forgets)
    {
        lock (_knowing)
        {
            if (_first is null || (forgets && seen.Found > _first.Found))
            {
                _first = seen;
            }
            return _first;
        }
    }
}

/// <summary>The operation <c>read</c>, as lanes perform it: multi-gets prepared, the store connected once, results checked.</summary>
internal sealed class Reads<TMultiGet>(Spec spec, IStore<TMultiGet> store) : ILaneWork<MultiGet<TMultiGet>, Row?[]>
{
    private readonly Dictionary<Draw, MultiGet<TMultiGet>[]> _drawn = [];

    /// <summary>By the name of a step; steps that draw alike have the same.</summary>
    private readonly ConcurrentDictionary<string, MultiGet<TMultiGet>[]> _byStep = new();

    /// <summary>True where the server loses its records when it is restarted.</summary>
    private readonly bool _forgets = spec.Facts.ObjectOrEmpty("server").Flag("forgets", false);

    private readonly SemaphoreSlim _connecting = new(1);
    private volatile bool _connected;

    public IReadOnlyCollection<string> Operations => ["read"];

    public void Begin(Step step)
    {
        Draw draw = Draw.Of(step.Parameters);
        if (!_drawn.TryGetValue(draw, out MultiGet<TMultiGet>[]? multiGets))
        {
            multiGets = Enumerable.Range(0, Draw.MultiGets).Select(number => MultiGetOf(draw, number)).ToArray();
            _drawn[draw] = multiGets;
        }
        _byStep[step.Name] = multiGets;
    }

    public bool InRounds(Step step) => step.Parameters.Flag("barrier", false);

    public MultiGet<TMultiGet> Prepare(LaneCall call) => _byStep[call.Step.Name][Draw.MultiGetOf(call.Tick, call.Lane)];

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
    public Task<Row?[]> Call(MultiGet<TMultiGet> multiGet, LaneCall call, CancellationToken limit) =>
        _connected ? store.Read(multiGet.Asked, limit) : ConnectAndRead(multiGet, limit);

    /// <summary>Like the same multi-get before, or a wrong answer; records that were forgotten are missing.</summary>
    public Outcome Judge(LaneCall call, Row?[] rows)
    {
        MultiGet<TMultiGet> multiGet = Prepare(call);
        RowSummary seen = Rows.SummaryOf(rows);
        RowSummary known = multiGet.Known(seen, _forgets);
        if (seen.Rows != multiGet.Draw.Keys || seen != known)
        {
            string said = $"multi-get {multiGet.Number} of {multiGet.Draw}: {seen}, before {known}";
            if (_forgets && seen.Found < known.Found)
            {
                return Outcome.Failed(Status.ItemError, new Fault(Scope.Call, "MissingRecords", "", said));
            }
            return Outcome.Failed(Status.WrongAnswer, new Fault(Scope.Call, "WrongAnswer", "", said));
        }
        return new Outcome(Status.Ok, [], seen.Found, () => new JsonObject
        {
            ["multi_get"] = multiGet.Number,
            ["set"] = multiGet.Draw.Set,
            ["keys"] = multiGet.Draw.Keys,
            ["found"] = seen.Found,
            ["checksum"] = Rows.Checksum(rows).ToString("x16"),
        });
    }

    public Outcome Explain(LaneCall call, Exception thrown) =>
        Outcome.Failed(store.StatusOf(thrown), Fault.OfCall(thrown, store.NameOf(thrown)));

    private MultiGet<TMultiGet> MultiGetOf(Draw draw, int number) =>
        new(draw, number, store.Prepare(draw.Set, draw.KeysOf(spec.Seed, number)));

    private async Task<Row?[]> ConnectAndRead(MultiGet<TMultiGet> multiGet, CancellationToken limit)
    {
        await Connect(limit).ConfigureAwait(false);
        return await store.Read(multiGet.Asked, limit).ConfigureAwait(false);
    }
}
