using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.SignalR;
using Microsoft.Extensions.DependencyInjection;
using Whiteboard;
using Wirelab;

ServingPart.Run(spec =>
{
    Fields parameters = spec.Parameters;
    int recordBytes = parameters.Within("max_message_bytes", 1, int.MaxValue);
    int keepAliveMs = parameters.Within("keep_alive_ms", 1, int.MaxValue);
    int timeoutMs = parameters.Within("client_timeout_ms", 1, int.MaxValue);
    int sendMs = parameters.Within("send_time_limit_ms", 1, int.MaxValue);
    int handshakeMs = parameters.Within("handshake_timeout_ms", 1, int.MaxValue);

    WebApplicationBuilder builder = KestrelServer.Builder(spec);
    builder.Services
        .AddSignalR(hub =>
        {
            hub.MaximumReceiveMessageSize = recordBytes;
            hub.MaximumParallelInvocationsPerClient = parameters.Within("invocations_per_client", 1, int.MaxValue);
            hub.HandshakeTimeout = TimeSpan.FromMilliseconds(handshakeMs);
            hub.KeepAliveInterval = TimeSpan.FromMilliseconds(keepAliveMs);
            hub.ClientTimeoutInterval = TimeSpan.FromMilliseconds(timeoutMs);
        })
        .AddJsonProtocol(json => json.PayloadSerializerOptions.TypeInfoResolverChain.Insert(0, Messages.Default));
    WebApplication app = builder.Build();
    app.MapHub<BoardHub>(KestrelServer.Path, connection =>
    {
        connection.Transports = HttpTransportType.WebSockets;
        connection.ApplicationMaxBufferSize = parameters.Within("receive_buffer_bytes", 1, int.MaxValue);
        connection.TransportMaxBufferSize = parameters.Within("send_buffer_limit_bytes", 1, int.MaxValue);
        connection.TransportSendTimeout = TimeSpan.FromMilliseconds(sendMs);
    });
    return KestrelServer.Start(app, new()
    {
        ["protocol"] = "signalr",
        ["receive_limit_bytes"] = recordBytes,
        ["keep_alive_ms"] = keepAliveMs,
        ["timeout_ms"] = timeoutMs,
    });
});
