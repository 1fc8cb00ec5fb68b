using Opc.Ua;
using OpcUa;
using Wirelab;
using Status = Wirelab.Status;

PacedClient.Run(spec => new FoundationClient(spec));

/// <summary>The client of the OPC Foundation, with the tasks of its session.</summary>
internal sealed class FoundationClient : IClient
{
    private const string Further = "session";

    private readonly NodeLists _nodeLists;
    private readonly Connection _connection;
    private readonly ReadValueIdCollection _reads;

    public FoundationClient(Spec spec)
    {
        _nodeLists = NodeLists.Of(spec);
        _connection = new Connection(spec);
        _reads = [.. _nodeLists.Reads.Select(node =>
            new ReadValueId { NodeId = NodeId.Parse(node), AttributeId = Attributes.Value })];
    }

    public IReadOnlyCollection<string> Operations => [NodeLists.Read, NodeLists.Write, Further];

    public (string Name, string Version) Library => ("OPC Foundation UA-.NETStandard", Connection.Version);

    public IReadOnlyCollection<string> Capabilities => ["security", "auto-reconnect", "async", "node-list"];

    public bool Connected => _connection.Opened;

    public Request Prepare(string operation, Turn turn)
    {
        if (operation == NodeLists.Read)
        {
            return Read;
        }
        if (operation == Further)
        {
            return async () =>
            {
                await _connection.OpenFurther().ConfigureAwait(false);
                return Outcome.Ok;
            };
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
        return Outcome.Ok;
    };

    public Outcome Failed(Exception thrown)
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
        return Outcome.Failed(status, Fault.OfCall(thrown, code == StatusCodes.Good ? "" : Name(code)));
    }

    public Task Disconnect() => _connection.Close();

    private async Task<Outcome> Read()
    {
        ReadResponse answer = await _connection.Session
            .ReadAsync(null, 0, TimestampsToReturn.Source, _reads, CancellationToken.None).ConfigureAwait(false);
        List<BadItem> bad = Bad(answer.Results, one => one.StatusCode);
        return Results.OfRead(_nodeLists, answer.Results.ConvertAll(one => (object?)one.Value), bad);
    }

    private async Task<Outcome> Write(WriteValueCollection items, long sequence)
    {
        WriteResponse answer = await _connection.Session
            .WriteAsync(null, items, CancellationToken.None).ConfigureAwait(false);
        List<BadItem> bad = Bad(answer.Results, one => one);
        return Results.OfWrite(_nodeLists, sequence, answer.Results.Count, bad);
    }

    private static List<BadItem> Bad<T>(List<T> results, Func<T, StatusCode> status)
    {
        List<BadItem> bad = [];
        for (int position = 0; position < results.Count; position++)
        {
            StatusCode found = status(results[position]);
            if (!StatusCode.IsGood(found))
            {
                bad.Add(new BadItem(position, Name(found.Code), found.ToString()));
            }
        }
        return bad;
    }

    private static string Name(uint code) => StatusCode.LookupSymbolicId(code) ?? $"0x{code:X8}";
}
