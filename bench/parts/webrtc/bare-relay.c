/*
 * The baseline of bare-relay-process.ts in C: epoll, recv, send. Each line of stdin is the ports of a call's two sides ("4000 4002"),
 * which is answered with our own ports, or "close" for all calls.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { max_sockets = 65536, max_events = 512, max_packet = 2048 };

/* By descriptor: the socket of the other side. */
static int peers[max_sockets];

static struct sockaddr_in on_loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/* Receives on a port of its own, and sends to this one. */
static int open_socket(int epoll, int port) {
  struct sockaddr_in own = on_loopback(0), target = on_loopback(port);
  struct epoll_event event = {.events = EPOLLIN};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (fd < 0 || fd >= max_sockets) return -1;
  event.data.fd = fd;
  if (bind(fd, (struct sockaddr *)&own, sizeof own) || connect(fd, (struct sockaddr *)&target, sizeof target)) return -1;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) ? -1 : fd;
}

static int port_of(int fd) {
  struct sockaddr_in own;
  socklen_t length = sizeof own;
  return getsockname(fd, (struct sockaddr *)&own, &length) ? -1 : ntohs(own.sin_port);
}

static int obey(int epoll, const char *line) {
  int extension, other;
  if (!strncmp(line, "close", 5)) {
    for (int fd = 0; fd < max_sockets; fd++)
      if (peers[fd]) close(fd), peers[fd] = 0;
    return 0;
  }
  if (sscanf(line, "%d %d", &extension, &other) != 2) return 1;
  int first = open_socket(epoll, extension), second = open_socket(epoll, other);
  if (first < 0 || second < 0) return 1;
  peers[first] = second;
  peers[second] = first;
  printf("%d %d\n", port_of(first), port_of(second));
  return fflush(stdout);
}

int main(void) {
  static char packet[max_packet], line[256];
  struct epoll_event events[max_events], commands = {.events = EPOLLIN, .data.fd = STDIN_FILENO};
  int epoll = epoll_create1(0);
  setvbuf(stdin, NULL, _IONBF, 0);
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &commands)) return 1;
  for (;;) {
    int count = epoll_wait(epoll, events, max_events, -1);
    for (int n = 0; n < count; n++) {
      int fd = events[n].data.fd;
      if (fd == STDIN_FILENO) {
        if (!fgets(line, sizeof line, stdin) || obey(epoll, line)) return 1;
        continue;
      }
      ssize_t length = recv(fd, packet, max_packet, 0);
      if (length > 0) send(peers[fd], packet, length, 0);
    }
  }
}
