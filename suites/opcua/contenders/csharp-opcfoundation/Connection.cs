using System.Reflection;
using Opc.Ua;
using Opc.Ua.Client;
using Wirelab;

/// <summary>One session with the server; a lost one is had again as the library's own client does it.</summary>
internal sealed class Connection(Spec spec)
{
    private readonly SessionMaker _maker = new(spec);
    private readonly int _reconnectMs = spec.Parameters.Within("reconnect_period_ms", 500, int.MaxValue);
    private readonly SessionReconnectHandler _handler = new(reconnectAbort: true);
    private readonly object _gate = new();
    private Task? _attempt;
    private Task _closing = Task.CompletedTask;
    private volatile ISession? _session;

    /// <summary>The version of the library.</summary>
    public static string Version =>
        typeof(Session).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
            .InformationalVersion.Split('+')[0];

    /// <summary>True once a session was opened; it may be down, and under way again, at the moment.</summary>
    public bool Opened => _session is not null;

    /// <summary>The session; only after it was opened.</summary>
    public ISession Session => _session ?? throw new InvalidOperationException("there is no session yet");

    /// <summary>
    /// Opens the session. An attempt still under way is joined: its caller may have given it up, but two at a time
    /// would be two sessions.
    /// </summary>
    public Task Open()
    {
        lock (_gate)
        {
            return _attempt is { IsCompleted: false } ? _attempt : _attempt = Task.Run(OpenNow);
        }
    }

    /// <summary>Opens one more session, with a channel of its own, and closes it once it is there.</summary>
    public async Task OpenFurther()
    {
        await _closing.ConfigureAwait(false);
        ISession session = await _maker.Make().ConfigureAwait(false);
        _closing = Closed(session);
    }

    /// <summary>Closes the sessions, if there are any.</summary>
    public async Task Close()
    {
        await _closing.ConfigureAwait(false);
        _handler.Dispose();
        if (_session is ISession session)
        {
            session.KeepAlive -= OnKeepAlive;
            await Closed(session).ConfigureAwait(false);
        }
    }

    private static async Task Closed(ISession session)
    {
        await session.CloseAsync().ConfigureAwait(false);
        session.Dispose();
    }

    private async Task OpenNow()
    {
        await _maker.Prepare().ConfigureAwait(false);
        ISession session = await _maker.Make().ConfigureAwait(false);
        session.KeepAliveInterval = spec.Parameters.Within("keep_alive_ms", 1, int.MaxValue);
        session.KeepAlive += OnKeepAlive;
        _session = session;
    }

    private void OnKeepAlive(ISession session, KeepAliveEventArgs told)
    {
        if (ReferenceEquals(session, _session) && ServiceResult.IsBad(told.Status))
        {
            _handler.BeginReconnect(session, _reconnectMs, OnReconnected);
            told.CancelKeepAlive = true;
        }
    }

    private void OnReconnected(object? sender, EventArgs told)
    {
        // Null where the old one has recovered meanwhile.
        if (_handler.Session is ISession found && !ReferenceEquals(found, _session))
        {
            ISession? lost = _session;
            _session = found;
            lost?.Dispose();
        }
    }
}
