import { html } from 'htm/preact';
import { render } from 'preact';
import { App } from './app.ts';
import { connect } from './server.ts';
import './style.css';

const place = document.querySelector('#app');
if (place !== null) render(html`<${App} />`, place);
connect();
