using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Opc.Ua;
using Opc.Ua.Client;
using Opc.Ua.Configuration;
using Wirelab;

/// <summary>Makes sessions with the security that a spec asks for.</summary>
internal sealed class SessionMaker(Spec spec)
{
    private const string Name = "wirelab client";
    private const string Uri = "urn:wirelab:opcua:client";
    private const long SessionNs = 60_000_000_000;
    private const long MillisecondNs = 1_000_000;

    private readonly string _url = spec.Endpoints.Text("server");
    private readonly string _policy = spec.Parameters.Text("security", "None");
    private readonly string _mode = spec.Parameters.Text("security_mode", "");
    private readonly string _given = spec.Facts.ObjectOrEmpty("certificates").Text("client_folder", "");
    private readonly string _stores = Path.Combine(spec.Paths.Scratch, "pki");
    private readonly int _timeoutMs = (int)Math.Min(
        (spec.Parameters.Integer("request_timeout_ns") + MillisecondNs - 1) / MillisecondNs, int.MaxValue);
    private readonly uint _sessionMs = (uint)(
        spec.Parameters.Integer("session_timeout_ns", SessionNs) / MillisecondNs);
    private ApplicationConfiguration? _configuration;
    private ConfiguredEndpoint? _endpoint;

    private bool Secured => _policy != "None";

    private string OwnStore => Path.Combine(_stores, "own");

    /// <summary>Configures the library and asks the server for its endpoint, which is done once.</summary>
    public async Task Prepare()
    {
        if (_configuration is null)
        {
            if (Secured)
            {
                await HandOver().ConfigureAwait(false);
            }
            _configuration = await Configured().ConfigureAwait(false);
            if (Secured)
            {
                await Trust(_configuration).ConfigureAwait(false);
            }
        }
        EndpointConfiguration limits = EndpointConfiguration.Create(_configuration);
        _endpoint ??= new ConfiguredEndpoint(null, await Chosen(_configuration, limits).ConfigureAwait(false), limits);
    }

    /// <summary>A session with a channel of its own; only after <see cref="Prepare"/>.</summary>
    public Task<ISession> Make() => DefaultSessionFactory.Instance.CreateAsync(
        _configuration, _endpoint, updateBeforeConnect: false, checkDomain: Secured, Name, _sessionMs,
        new UserIdentity(), preferredLocales: null);

    /// <summary>Puts the own key pair into the library's store of them, which is a folder of the trial.</summary>
    private async Task HandOver()
    {
        using var key = RSA.Create();
        key.ImportFromPem(File.ReadAllText(Path.Combine(_given, "own.key.pem")));
        using X509Certificate2 own = Read("own.der").CopyWithPrivateKey(key);
        using ICertificateStore store =
            new CertificateStoreIdentifier(OwnStore, CertificateStoreType.Directory, false).OpenStore();
        await store.Add(own).ConfigureAwait(false);
    }

    /// <summary>Puts the one certificate of a server that is trusted into the store of those.</summary>
    private async Task Trust(ApplicationConfiguration configuration)
    {
        using ICertificateStore trusted = configuration.SecurityConfiguration.TrustedPeerCertificates.OpenStore();
        await trusted.Add(Read("trusted", "peer.der")).ConfigureAwait(false);
    }

    private X509Certificate2 Read(params string[] names) =>
        CertificateFactory.Create(File.ReadAllBytes(Path.Combine([_given, .. names])), useCache: false);

    /// <summary>
    /// The library's configuration. Of other certificates it accepts those alone that are in its store of trusted ones.
    /// </summary>
    private async Task<ApplicationConfiguration> Configured()
    {
        var application = new ApplicationInstance { ApplicationName = Name, ApplicationType = ApplicationType.Client };
        return await application.Build(Uri, Uri)
            .SetOperationTimeout(_timeoutMs)
            .SetMaxArrayLength(spec.Parameters.Within("max_array_length", 1, int.MaxValue))
            .SetMaxMessageSize(spec.Parameters.Within("max_message_bytes", 1, int.MaxValue))
            .AsClient()
            .AddSecurityConfiguration(
                [
                    new CertificateIdentifier
                    {
                        StoreType = CertificateStoreType.Directory,
                        StorePath = OwnStore,
                        SubjectName = $"CN={Name}, O=wirelab",
                        CertificateType = ObjectTypeIds.RsaSha256ApplicationCertificateType,
                    },
                ],
                _stores)
            .SetAutoAcceptUntrustedCertificates(false)
            .Create().ConfigureAwait(false);
    }

    /// <summary>The endpoint of the policy and its mode, at the address we were given: servers tell their host's name.</summary>
    private async Task<EndpointDescription> Chosen(
        ApplicationConfiguration configuration, EndpointConfiguration limits)
    {
        using DiscoveryClient discovery = DiscoveryClient.Create(configuration, new Uri(_url), limits);
        EndpointDescriptionCollection offered = await discovery.GetEndpointsAsync(null).ConfigureAwait(false);
        MessageSecurityMode mode =
            Secured ? Enum.Parse<MessageSecurityMode>(_mode) : MessageSecurityMode.None;
        EndpointDescription chosen = offered.Find(one =>
            one.SecurityPolicyUri == SecurityPolicies.GetUri(_policy) && one.SecurityMode == mode)
            ?? throw new ServiceResultException(StatusCodes.BadSecurityPolicyRejected, $"no endpoint has {_policy}");
        chosen.EndpointUrl = _url;
        return chosen;
    }
}
