// What a browser shows in place of the page if its token is missing or wrong.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether a person is to read the answer: programs get text or JSON. */
export const isForPerson = ({ headers }: IncomingMessage): boolean =>
  headers.accept?.includes('text/html') === true;

/** The browser asks for the password first; a person who cancels reads this. */
export function sendTokenPage(response: ServerResponse): void {
  response.writeHead(401, {
    'www-authenticate': 'Basic',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(tokenPage);
}

const tokenPage = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <meta name="color-scheme" content="light dark">
  <title>Token needed · toolmend</title>
  <h1>This page needs its token</h1>
  <p>Load the page again. The browser asks for a name and a password: give the token as the password, and no name.</p>
  <p>The token is in the environment variable that <code>--token-env</code> names on the command that serves the page,
    or <code>tokenFrom</code> in toolmend.config.json.</p>
</html>
`;
