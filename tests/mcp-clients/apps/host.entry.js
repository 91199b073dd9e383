// A host for MCP Apps in a browser page: the official AppBridge, with a sandbox on another origin. The test provides what the
// MCP server answers as `fromServer`, and reads `log`.

import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

window.log = [];
const record = (kind, params) => window.log.push([kind, params]);

/** Shows `html` in the sandbox at `sandbox`. */
window.start = async ({ html, sandbox, context, width, capabilities }) => {
  const frame = document.createElement('iframe');
  frame.title = 'app';
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  frame.style.cssText = `width:${width}px;height:520px;border:0;display:block;color-scheme:normal`;
  const isReady = new Promise((resolve) => {
    addEventListener('message', ({ data }) => data?.method === 'ui/notifications/sandbox-proxy-ready' && resolve());
  });
  frame.src = sandbox;
  document.body.append(frame);
  await isReady;
  const info = { name: 'test-host', version: '1' };
  const bridge = new AppBridge(null, info, capabilities, { hostContext: context });
  window.bridge = bridge;
  bridge.oncalltool = async (params) => {
    record('tools/call', params);
    return JSON.parse(await window.fromServer(JSON.stringify(params)));
  };
  bridge.onupdatemodelcontext = async (params) => record('model-context', params) && {};
  bridge.onopenlink = async (params) => record('open-link', params) && {};
  bridge.onsizechange = (params) => {
    record('size', params);
    if (params.height) frame.style.height = `${params.height}px`;
  };
  bridge.onrequestdisplaymode = async ({ mode }) => {
    record('display-mode', mode);
    frame.style.height = mode === 'fullscreen' ? '640px' : '520px';
    bridge.sendHostContextChange({ displayMode: mode });
    return { mode };
  };
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await bridge.sendSandboxResourceReady({ html });
  await initialized;
  record('initialized', bridge.getAppVersion());
};
