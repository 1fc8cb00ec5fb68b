using System.Net.Sockets;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Wirelab;
using Wirelab.Messaging;

MessagingClients.Run(spec => new RabbitTransport(spec));

/// <summary>A connection for each user.</summary>
internal sealed class RabbitTransport(Spec spec) : ITransport
{
    private const double MillisecondNs = 1e6;

    private readonly TimeSpan _limit = TimeSpan.FromMilliseconds(spec.Limits.OperationNs / MillisecondNs);
    private readonly Guarantees _guarantees = Guarantees.Of(spec.Parameters);

    public (string Name, string Version) Library => ("RabbitMQ.Client", Wirelab.Library.VersionOf(typeof(ConnectionFactory)));

    public bool ReconnectsItself => true;

    public async Task<ILink> Connect(int user, Inbox? inbox, CancellationToken limit)
    {
        Socket? socket = null;
        var server = new ConnectionFactory
        {
            Uri = new Uri(spec.EndpointOf("server")),
            RequestedConnectionTimeout = _limit,
            HandshakeContinuationTimeout = _limit,
            ContinuationTimeout = _limit,
            NetworkRecoveryInterval = TimeSpan.FromMilliseconds(spec.Parameters.Integer("reconnect_wait_ms")),
            SocketFactory = family =>
            {
                socket = new Socket(family, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                return new TcpClientAdapter(socket);
            },
        };
        IConnection connection = await server.CreateConnectionAsync($"user-{user}", limit);
        try
        {
            var link = new RabbitLink(connection, () => socket, _guarantees, _limit);
            await link.Open(inbox, limit);
            return link;
        }
        catch (Exception)
        {
            await connection.AbortAsync(_limit);
            throw;
        }
    }

    public Status StatusOf(Exception thrown)
    {
        for (Exception? why = thrown; why is not null; why = why.InnerException)
        {
            if (why is PossibleAuthenticationFailureException)
            {
                return Status.Error;
            }
            if (why is OperationInterruptedException { ShutdownReason: { } reason })
            {
                // A channel alone is closed for what was done on it; a connection is gone.
                bool ofChannel = reason.ReplyCode is >= 400 and < 500 && why is not AlreadyClosedException;
                return ofChannel ? Status.Error : Status.Disconnected;
            }
        }
        return Network.StatusOf(thrown);
    }
}

/// <summary>Promises about a message.</summary>
/// <param name="Confirmed">The broker confirms what is published, and receivers acknowledge what they get.</param>
/// <param name="Outstanding">Messages of a channel that may wait for their confirmation.</param>
/// <param name="Prefetch">Messages that a receiver may have unacknowledged.</param>
/// <param name="Dispatched">Messages of a channel that are handed to the application at once.</param>
internal sealed record Guarantees(bool Confirmed, int Outstanding, ushort Prefetch, ushort Dispatched)
{
    public static Guarantees Of(Fields parameters)
    {
        bool confirmed = parameters.Flag("confirms", false);
        return new Guarantees(
            confirmed,
            confirmed ? parameters.Within("outstanding_confirms", 1, ushort.MaxValue) : 0,
            (ushort)(confirmed ? parameters.Within("prefetch", 1, ushort.MaxValue) : 0),
            (ushort)parameters.Within("dispatch_concurrency", 1, 64));
    }
}
