export { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
export type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js';
