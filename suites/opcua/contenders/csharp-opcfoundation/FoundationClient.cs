using Opc.Ua;
using Opc.Ua.Client;
using OpcUa;
using Wirelab;
using Status = Wirelab.Status;

Worker.Run(worker =>
{
    if (worker.Spec.Schedule.Steps.Count > 0)
    {
        Callers.Play(worker, new ManyCallers(worker.Spec));
    }
    else
    {
        PacedClient.Play(worker, new FoundationClient(worker.Spec));
    }
});

/// <summary>The client of the OPC Foundation, with the tasks of its session.</summary>
internal sealed class FoundationClient : IClient
{
    public const string Name = "OPC Foundation UA-.NETStandard";

    public static readonly string[] Abilities =
        ["security", "subscriptions", "auto-reconnect", "async", "node-list", "lanes"];

    private const string Further = "session";

    private readonly NodeLists _nodeLists;
    private readonly Connection _connection;
    private readonly ReadValueIdCollection _reads;
    private readonly Watching? _watching;

    public FoundationClient(Spec spec)
    {
        _nodeLists = NodeLists.Of(spec);
        _connection = new Connection(spec);
        _reads = ReadsOf(_nodeLists);
        _watching = Watching.Of(spec, _nodeLists);
    }

    public IReadOnlyCollection<string> Operations =>
        [NodeLists.Read, NodeLists.Write, NodeLists.Notification, NodeLists.Poll, Further];

    public (string Name, string Version) Library => (Name, Connection.Version);

    public IReadOnlyCollection<string> Capabilities => Abilities;

    public bool Connected => _connection.Opened;

    public Request Prepare(string operation, Turn turn)
    {
        if (operation == NodeLists.Read)
        {
            return () => Read(_connection.Session, _reads, _nodeLists);
        }
        if (operation == Further)
        {
            return async () =>
            {
                await _connection.OpenFurther().ConfigureAwait(false);
                return Outcome.Ok;
            };
        }
        if (operation is NodeLists.Notification or NodeLists.Poll)
        {
            return () => _watching!.Await(turn);
        }
        long sequence = NodeLists.Sequence(turn);
        WriteValueCollection items = [.. _nodeLists.Writes.Select((node, position) => new WriteValue
        {
            NodeId = NodeId.Parse(node),
            AttributeId = Attributes.Value,
            // Only the value: a server need not accept a status or a timestamp from a client.
            Value = new DataValue(new Variant(_nodeLists.Value(position, sequence))),
        })];
        return () => Write(items, sequence);
    }

    public Request PrepareConnect() => async () =>
    {
        await _connection.Open().ConfigureAwait(false);
        if (_watching is not null)
        {
            await _watching.Begin(_connection.Session).ConfigureAwait(false);
        }
        return Outcome.Ok;
    };

    public Outcome Failed(Exception thrown) => OutcomeOf(thrown);

    public Task Disconnect()
    {
        _watching?.End();
        return _connection.Close();
    }

    /// <summary>The items of every read.</summary>
    public static ReadValueIdCollection ReadsOf(NodeLists nodeLists) => [.. nodeLists.Reads.Select(node =>
        new ReadValueId { NodeId = NodeId.Parse(node), AttributeId = Attributes.Value })];

    /// <summary>Reads in a session, and looks at the status of every item.</summary>
    public static async Task<Outcome> Read(ISession session, ReadValueIdCollection reads, NodeLists nodeLists)
    {
        ReadResponse answer = await session
            .ReadAsync(null, 0, TimestampsToReturn.Source, reads, CancellationToken.None).ConfigureAwait(false);
        List<BadItem> bad = ItemStatuses.Bad(answer.Results, one => one.StatusCode);
        return Results.OfRead(nodeLists, answer.Results.ConvertAll(one => (object?)one.Value), bad);
    }

    /// <summary>Outcome of a call that failed, in the words of the library.</summary>
    public static Outcome OutcomeOf(Exception thrown)
    {
        uint code = (thrown as ServiceResultException)?.StatusCode ?? StatusCodes.Good;
        Status status = code switch
        {
            StatusCodes.BadRequestTimeout or StatusCodes.BadTimeout => Status.Timeout,
            // The library says no more of a connection that nobody takes.
            StatusCodes.BadNoCommunication or StatusCodes.BadConnectionRejected => Status.Refused,
            StatusCodes.BadConnectionClosed or StatusCodes.BadSecureChannelClosed or StatusCodes.BadNotConnected
                or StatusCodes.BadSecureChannelIdInvalid or StatusCodes.BadServerNotConnected
                or StatusCodes.BadSessionClosed or StatusCodes.BadSessionIdInvalid
                or StatusCodes.BadSessionNotActivated or StatusCodes.BadCommunicationError
                or StatusCodes.BadShutdown => Status.Disconnected,
            _ => Status.Error,
        };
        string name = code == StatusCodes.Good ? "" : ItemStatuses.Name(code);
        return Outcome.Failed(status, Fault.OfCall(thrown, name));
    }

    private async Task<Outcome> Write(WriteValueCollection items, long sequence)
    {
        WriteResponse answer = await _connection.Session
            .WriteAsync(null, items, CancellationToken.None).ConfigureAwait(false);
        List<BadItem> bad = ItemStatuses.Bad(answer.Results, one => one);
        return Results.OfWrite(_nodeLists, sequence, answer.Results.Count, bad);
    }
}
