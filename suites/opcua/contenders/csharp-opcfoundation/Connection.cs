using System.Reflection;
using Opc.Ua;
using Opc.Ua.Client;
using Opc.Ua.Configuration;
using Wirelab;

/// <summary>One session with the server; a lost one is had again as the library's own client does it.</summary>
internal sealed class Connection(Spec spec)
{
    private const string Name = "wirelab-opcfoundation";
    private const string Uri = "urn:wirelab:opcua:opcfoundation";
    private const int SessionMs = 60_000;
    private const long MillisecondNs = 1_000_000;

    private readonly string _url = spec.Endpoints.Text("server");
    private readonly string _policy = spec.Parameters.Text("security", "None");
    private readonly int _timeoutMs = (int)Math.Min(
        (spec.Parameters.Integer("request_timeout_ns") + MillisecondNs - 1) / MillisecondNs, int.MaxValue);
    private readonly int _reconnectMs = spec.Parameters.Within("reconnect_period_ms", 500, int.MaxValue);
    private readonly SessionReconnectHandler _handler = new(reconnectAbort: true);
    private readonly object _gate = new();
    private Task? _attempt;
    private volatile ISession? _session;

    /// <summary>The version of the library.</summary>
    public static string Version =>
        typeof(Session).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
            .InformationalVersion.Split('+')[0];

    /// <summary>Whether a session was opened; it may be down, and under way again, at the moment.</summary>
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

    /// <summary>Closes the session, if there is one.</summary>
    public async Task Close()
    {
        _handler.Dispose();
        if (_session is ISession session)
        {
            session.KeepAlive -= OnKeepAlive;
            await session.CloseAsync().ConfigureAwait(false);
            session.Dispose();
        }
    }

    private async Task OpenNow()
    {
        ApplicationConfiguration configuration = await Configured().ConfigureAwait(false);
        EndpointConfiguration limits = EndpointConfiguration.Create(configuration);
        var endpoint = new ConfiguredEndpoint(null, await Chosen(configuration, limits).ConfigureAwait(false), limits);
        ISession session = await DefaultSessionFactory.Instance.CreateAsync(
            configuration, endpoint, updateBeforeConnect: false, checkDomain: _policy != "None", Name, SessionMs,
            new UserIdentity(), preferredLocales: null).ConfigureAwait(false);
        session.KeepAliveInterval = spec.Parameters.Within("keep_alive_ms", 1, int.MaxValue);
        session.KeepAlive += OnKeepAlive;
        _session = session;
    }

    /// <summary>
    /// The library's configuration. Its certificates are in the folder of the trial, and of others it accepts those
    /// alone that are in its store of trusted ones: the neutral server's, as that server has told it.
    /// </summary>
    private async Task<ApplicationConfiguration> Configured()
    {
        string stores = Path.Combine(spec.Paths.Scratch, "pki");
        var application = new ApplicationInstance { ApplicationName = Name, ApplicationType = ApplicationType.Client };
        ApplicationConfiguration configuration = await application.Build(Uri, Uri)
            .SetOperationTimeout(_timeoutMs)
            .SetMaxArrayLength(spec.Parameters.Within("max_array_length", 1, int.MaxValue))
            .SetMaxMessageSize(spec.Parameters.Within("max_message_bytes", 1, int.MaxValue))
            .AsClient()
            .AddSecurityConfiguration(
                [
                    new CertificateIdentifier
                    {
                        StoreType = CertificateStoreType.Directory,
                        StorePath = Path.Combine(stores, "own"),
                        SubjectName = $"CN={Name}",
                        CertificateType = ObjectTypeIds.RsaSha256ApplicationCertificateType,
                    },
                ],
                stores)
            .SetAutoAcceptUntrustedCertificates(false)
            .Create().ConfigureAwait(false);
        if (_policy != "None")
        {
            await application.CheckApplicationInstanceCertificates(silent: true).ConfigureAwait(false);
            await Trust(configuration).ConfigureAwait(false);
        }
        return configuration;
    }

    private async Task Trust(ApplicationConfiguration configuration)
    {
        byte[] told = Convert.FromBase64String(spec.Facts.Object("server").Text("certificate"));
        using ICertificateStore trusted = configuration.SecurityConfiguration.TrustedPeerCertificates.OpenStore();
        await trusted.Add(CertificateFactory.Create(told, useCache: true)).ConfigureAwait(false);
    }

    /// <summary>The endpoint of the policy and its mode, at the address we were given: servers tell their host's name.</summary>
    private async Task<EndpointDescription> Chosen(
        ApplicationConfiguration configuration, EndpointConfiguration limits)
    {
        using DiscoveryClient discovery = DiscoveryClient.Create(configuration, new Uri(_url), limits);
        EndpointDescriptionCollection offered = await discovery.GetEndpointsAsync(null).ConfigureAwait(false);
        MessageSecurityMode mode =
            _policy == "None" ? MessageSecurityMode.None : MessageSecurityMode.SignAndEncrypt;
        EndpointDescription chosen = offered.Find(one =>
            one.SecurityPolicyUri == SecurityPolicies.GetUri(_policy) && one.SecurityMode == mode)
            ?? throw new ServiceResultException(StatusCodes.BadSecurityPolicyRejected, $"no endpoint has {_policy}");
        chosen.EndpointUrl = _url;
        return chosen;
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
