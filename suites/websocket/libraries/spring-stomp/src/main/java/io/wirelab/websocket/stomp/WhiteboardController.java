package io.wirelab.websocket.stomp;

import io.wirelab.websocket.boot.WhiteboardMessage;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.stereotype.Controller;
import org.springframework.util.MimeTypeUtils;
import tools.jackson.databind.json.JsonMapper;

/** The whiteboard: what is sent to the application for a board goes on to the board's topic. */
@Controller
public class WhiteboardController {
    static final String PREFIX = "/app";
    static final String TOPIC = "/topic";

    private final SimpMessagingTemplate template;
    private final JsonMapper json;

    WhiteboardController(SimpMessagingTemplate template, JsonMapper json) {
        this.template = template;
        this.json = json;
    }

    /** Goes to everybody on the board, and tells the joiner that its subscription is there. */
    @MessageMapping("/join/*")
    void join(byte[] text) {
        forward("join", text);
    }

    @MessageMapping("/draw/*")
    void draw(byte[] text) {
        forward("draw", text);
    }

    private void forward(String type, byte[] text) {
        WhiteboardMessage message = WhiteboardMessage.in(json, text);
        if (!message.type().equals(type)) {
            return;
        }
        SimpMessageHeaderAccessor headers =
                SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
        // Without a type Spring would say octets, and send a binary frame.
        headers.setContentType(MimeTypeUtils.APPLICATION_JSON);
        headers.setLeaveMutable(true);
        template.send(TOPIC + "/" + message.board(),
                MessageBuilder.createMessage(text, headers.getMessageHeaders()));
    }
}
