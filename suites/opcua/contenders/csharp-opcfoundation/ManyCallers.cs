using Opc.Ua;
using Opc.Ua.Client;
using OpcUa;
using Wirelab;

/// <summary>The client with many callers: sessions as the library makes them, each with its keep-alive.</summary>
internal sealed class ManyCallers(Spec spec) : ICallers
{
    private readonly NodeLists _nodeLists = NodeLists.Of(spec);
    private readonly SessionMaker _maker = new(spec);

    public (string Name, string Version) Library => (FoundationClient.Name, Connection.Version);

    public IReadOnlyCollection<string> Capabilities => FoundationClient.Abilities;

    public Task Prepare() => _maker.Prepare();

    public async Task<ICallerSession> Open()
    {
        ISession session = await _maker.Make().ConfigureAwait(false);
        session.KeepAliveInterval = spec.Parameters.Within("keep_alive_ms", 1, int.MaxValue);
        return new Caller(session, _nodeLists);
    }

    public Outcome Failed(Exception thrown) => FoundationClient.OutcomeOf(thrown);

    private sealed class Caller(ISession session, NodeLists nodeLists) : ICallerSession
    {
        private readonly ReadValueIdCollection _reads = FoundationClient.ReadsOf(nodeLists);

        public Task<Outcome> Read() => FoundationClient.Read(session, _reads, nodeLists);

        public async Task Close()
        {
            await session.CloseAsync().ConfigureAwait(false);
            session.Dispose();
        }
    }
}
