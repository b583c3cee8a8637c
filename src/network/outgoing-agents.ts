// Connections to other servers, through the proxy that the environment names.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isLoopbackAddress } from './access.ts';

/** Variables that name proxies: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, also in lower case. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

export interface AgentSettings {
  readonly keepAlive?: boolean;
  /** Milliseconds after which an idle connection is closed. */
  readonly timeout?: number;
}

export class OutgoingAgents {
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;
  readonly #localHttp: HttpAgent;
  readonly #localHttps: HttpsAgent;
  readonly #hasHttpProxy: boolean;

  /** Throws for a proxy whose URL can't be used. */
  constructor(environment: ProxyEnvironment, settings: AgentSettings = {}) {
    const proxySettings = { ...settings, proxyEnv: { ...environment } };
    this.#http = new HttpAgent(proxySettings);
    this.#https = new HttpsAgent(proxySettings);
    this.#localHttp = new HttpAgent(settings);
    this.#localHttps = new HttpsAgent(settings);
    this.#hasHttpProxy = proxyIn(environment, 'HTTP_PROXY') !== '';
  }

  get all(): readonly HttpAgent[] {
    return [this.#http, this.#https, this.#localHttp, this.#localHttps];
  }

  /** A proxy is never asked for a server on this computer. */
  agentFor({ protocol, hostname }: URL): HttpAgent {
    const isLocal = isLoopbackAddress(hostname);
    if (protocol === 'https:') return isLocal ? this.#localHttps : this.#https;
    return isLocal ? this.#localHttp : this.#http;
  }

  /** Whether a request may be rewritten for a proxy. For https there is a tunnel instead. */
  isRewritten(url: URL): boolean {
    return this.#hasHttpProxy && this.agentFor(url) === this.#http;
  }

  close(): void {
    for (const agent of this.all) agent.destroy();
  }
}

const proxyIn = (environment: ProxyEnvironment, name: string): string =>
  environment[name.toLowerCase()] ?? environment[name] ?? '';

/**
 * Why the environment's proxy is not used for a server; undefined if it is, or if there is none.
 * Node has proxies since 22.21 and 24.5.
 */
export function whyNoProxy(
  { protocol, hostname }: URL,
  environment: ProxyEnvironment,
  version: string,
): string | undefined {
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const isNamed = proxyIn(environment, name) !== '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const hasProxies = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
  return isNamed && !hasProxies && !isLoopbackAddress(hostname)
    ? `${name} is not used for ${hostname}: Node ${version} has no proxies. Use Node 24.5 or newer, or 22.21.`
    : undefined;
}
