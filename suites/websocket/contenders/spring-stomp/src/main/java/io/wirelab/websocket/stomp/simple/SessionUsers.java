package io.wirelab.websocket.stomp.simple;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;

/**
 * A user for each session of SockJS, by the session's name, in place of a log-in.
 *
 * <p>Spring 7.0.8 takes further requests to a session that nobody has logged in to from the same
 * address and port alone, and a client by HTTP has a port for each of its connections (issue 36904
 * of spring-framework). A session with a user is held to the user instead.
 */
class SessionUsers extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response,
            FilterChain chain) throws IOException, ServletException {
        // Behind the endpoint follow the server's number, the session and the transport.
        String[] segments = request.getRequestURI().split("/");
        if (segments.length < 3) {
            chain.doFilter(request, response);
            return;
        }
        SessionUser user = new SessionUser(segments[segments.length - 2]);
        chain.doFilter(new HttpServletRequestWrapper(request) {
            @Override
            public Principal getUserPrincipal() {
                return user;
            }
        }, response);
    }

    /** The user of a session. */
    private record SessionUser(String name) implements Principal {
        @Override
        public String getName() {
            return name;
        }
    }
}
