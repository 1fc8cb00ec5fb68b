using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Whiteboard;
using Wirelab;

ServingPart.Run(spec =>
{
    Fields parameters = spec.Parameters;
    int limit = parameters.Within("max_message_bytes", 1, int.MaxValue);
    bool queued = parameters.Text("sending") == "queue";
    int backlog = queued ? parameters.Within("member_backlog", 1, int.MaxValue) : 0;
    var boards = new Boards();
    WebApplication app = KestrelServer.Builder(spec).Build();
    app.UseWebSockets(new WebSocketOptions
    {
        KeepAliveInterval = TimeSpan.FromMilliseconds(parameters.Within("keep_alive_ms", 1, int.MaxValue)),
    });
    app.Map(KestrelServer.Path, async (HttpContext context) =>
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            return;
        }
        using var socket = await context.WebSockets.AcceptWebSocketAsync();
        Member member = queued ? new QueuedMember(socket, backlog) : new LockedMember(socket);
        await new BoardConnection(socket, member, boards, limit).Serve(app.Lifetime.ApplicationStopping);
    });
    return KestrelServer.Start(app, new() { ["protocol"] = "json" });
});
