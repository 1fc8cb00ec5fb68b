using System.Net.Sockets;

namespace Wirelab;

/// <summary>Failures of the network, which libraries wrap in their own.</summary>
public static class Network
{
    /// <summary>The status that a failure or its causes tell; <see cref="Status.Error"/> where they tell none.</summary>
    public static Status StatusOf(Exception thrown)
    {
        Status told = Status.Error;
        for (Exception? why = thrown; why is not null; why = why.InnerException)
        {
            switch (why)
            {
                case TimeoutException or OperationCanceledException or
                    SocketException { SocketErrorCode: SocketError.TimedOut }:
                    return Status.Timeout;
                case SocketException { SocketErrorCode: SocketError.ConnectionRefused }:
                    return Status.Refused;
                case SocketException or IOException:
                    // What it wraps may say more.
                    told = Status.Disconnected;
                    break;
            }
        }
        return told;
    }
}
