using Opc.Ua;
using Opc.Ua.Client;
using OpcUa;
using Wirelab;

/// <summary>An operation that ends when its caller has the values of the change at its tick.</summary>
internal sealed class Watching
{
    /// <summary>Values of each tag that the server keeps for a client that is behind.</summary>
    private const uint Kept = 20;

    private const long MillisecondNs = 1_000_000;

    private readonly NodeLists _nodeLists;
    private readonly Changes _changes;
    private readonly bool _subscribes;
    private readonly int _intervalMs;
    private readonly ReadValueIdCollection _polled;
    private PeriodicTimer? _timer;

    private Watching(Spec spec, NodeLists nodeLists)
    {
        _nodeLists = nodeLists;
        _changes = new Changes(nodeLists.Watched.Count);
        _subscribes = spec.Operations.Any(one => one.Name == NodeLists.Notification);
        _intervalMs = (int)(spec.Parameters.Integer("interval_ns") / MillisecondNs);
        _polled = [.. nodeLists.Watched.Select(node =>
            new ReadValueId { NodeId = NodeId.Parse(node), AttributeId = Attributes.Value })];
    }

    /// <summary>The way in which a spec has the tags watched; null where it has none.</summary>
    public static Watching? Of(Spec spec, NodeLists nodeLists) =>
        nodeLists.Watched.Count == 0 ? null : new Watching(spec, nodeLists);

    /// <summary>Watches from now on.</summary>
    public async Task Begin(ISession session)
    {
        if (_subscribes)
        {
            await Subscribe(session).ConfigureAwait(false);
            return;
        }
        _timer = new PeriodicTimer(TimeSpan.FromMilliseconds(_intervalMs));
        _ = Poll(session, _timer);
    }

    /// <summary>Polls no more.</summary>
    public void End() => _timer?.Dispose();

    /// <summary>The values of the turn's change, every item's status looked at.</summary>
    public async Task<Outcome> Await(Turn turn)
    {
        long number = turn.Phase == Phase.Preflight ? 0 : turn.Index + 1;
        return Results.OfChange(_nodeLists, await _changes.Take(number).ConfigureAwait(false));
    }

    /// <summary>A subscription with a monitored item for each tag, sampled as often as it publishes.</summary>
    private async Task Subscribe(ISession session)
    {
        var subscription = new Subscription(session.DefaultSubscription)
        {
            PublishingEnabled = true,
            PublishingInterval = _intervalMs,
            TimestampsToReturn = TimestampsToReturn.Source,
            // Messages one after the other, and no values kept of which nobody asks.
            SequentialPublishing = true,
            DisableMonitoredItemCache = true,
        };
        MonitoredItem[] items = [.. _nodeLists.Watched.Select(node => new MonitoredItem(subscription.DefaultItem)
        {
            StartNodeId = NodeId.Parse(node),
            AttributeId = Attributes.Value,
            SamplingInterval = _intervalMs,
            QueueSize = Kept,
        })];
        Dictionary<uint, int> tags = items.Select((item, tag) => (item.ClientHandle, tag))
            .ToDictionary(one => one.ClientHandle, one => one.tag);
        subscription.FastDataChangeCallback = (_, told, _) => _changes.Put(told.MonitoredItems.Select(one =>
            (tags[one.ClientHandle], ReadingOf(tags[one.ClientHandle], one.Value))));
        session.AddSubscription(subscription);
        await subscription.CreateAsync().ConfigureAwait(false);
        subscription.AddItems(items);
        await subscription.ApplyChangesAsync().ConfigureAwait(false);
        if (Array.Find(items, item => ServiceResult.IsBad(item.Status.Error)) is MonitoredItem refused)
        {
            throw new ServiceResultException(refused.Status.Error);
        }
    }

    /// <summary>A Read of all tags again and again; what differs from the one before is a change.</summary>
    private async Task Poll(ISession session, PeriodicTimer timer)
    {
        object?[] known = [];
        do
        {
            try
            {
                ReadResponse answer = await session
                    .ReadAsync(null, 0, TimestampsToReturn.Source, _polled, CancellationToken.None)
                    .ConfigureAwait(false);
                object?[] found = [.. answer.Results.Select(one => one.Value)];
                if (!found.SequenceEqual(known))
                {
                    known = found;
                    _changes.Put(answer.Results.Select((one, tag) => (tag, ReadingOf(tag, one))));
                }
            }
            catch (ServiceResultException failed)
            {
                // Who waits for a change hears that none comes; the next poll may find it.
                string said = $"reading the tags failed, the next try follows: {failed.Message}";
                await Console.Error.WriteLineAsync(said).ConfigureAwait(false);
            }
        }
        while (await timer.WaitForNextTickAsync().ConfigureAwait(false));
    }

    private static Reading ReadingOf(int tag, DataValue value) =>
        new(value.Value, ItemStatuses.Bad(tag, value.StatusCode));
}
