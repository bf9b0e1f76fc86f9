// What the page can do without: sorting and filtering of tables, texts at the pointer, and larger drawings.
(function () {
  'use strict';
  const make = (name, className, text) => {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text || '';
    return element;
  };
  const number = (text) => parseFloat(text.replace(/^[^0-9-]+/, ''));

  for (const table of document.querySelectorAll('table.sortable')) {
    const body = table.tBodies[0];
    const sort = (head, column) => {
      const falls = head.getAttribute('aria-sort') === 'ascending';
      for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
      const of = (row) => row.cells[column].textContent.trim();
      const numbers = head.classList.contains('number');
      const order = (a, b) => {
        if (!numbers) return of(a).localeCompare(of(b), 'en', { numeric: true });
        const [one, other] = [number(of(a)), number(of(b))];
        return isNaN(one) || isNaN(other) ? isNaN(other) - isNaN(one) : one - other;
      };
      const rows = Array.from(body.rows).sort(order);
      body.append(...(falls ? rows.reverse() : rows));
    };
    if (body.rows.length < 2) continue;
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const button = make('button', 'sort', head.textContent);
      button.type = 'button';
      button.title = 'sort by this column';
      button.addEventListener('click', () => sort(head, column));
      head.replaceChildren(button);
    });
    if (body.rows.length < 6) continue;
    const field = make('input', 'filter');
    field.type = 'search';
    field.placeholder = 'only rows with this text';
    field.setAttribute('aria-label', 'only rows with this text');
    const shown = make('span', 'shown');
    field.addEventListener('input', () => {
      const wanted = field.value.toLowerCase();
      let count = 0;
      for (const row of body.rows) {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        count += row.hidden ? 0 : 1;
      }
      shown.textContent = wanted ? count + ' of ' + body.rows.length : '';
    });
    const line = make('p', 'controls');
    line.append(field, shown);
    table.parentElement.before(line);
  }

  // The text of a shape, at once and beside the pointer. Its title is taken while it shows, so that the browser
  // does not show it a second time.
  const tip = make('div', 'tip-box');
  tip.hidden = true;
  document.body.append(tip);
  let over = null;
  const leave = () => {
    if (over) over.shape.append(over.title);
    over = null;
    tip.hidden = true;
  };
  document.addEventListener('pointermove', (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const shape = target && target.closest('.drawing svg') ? target.closest('.tip, g') : null;
    const title = shape && Array.from(shape.children).find((child) => child.tagName === 'title');
    if (title) {
      leave();
      over = { shape, title };
      title.remove();
      tip.textContent = title.textContent.trim();
      tip.hidden = false;
    } else if (!over || over.shape !== shape) {
      leave();
    }
    if (over) {
      const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - tip.offsetWidth - 8);
      const below = event.clientY + 16 + tip.offsetHeight < window.innerHeight;
      tip.style.left = Math.max(4, left) + 'px';
      tip.style.top = (below ? event.clientY + 16 : event.clientY - tip.offsetHeight - 10) + 'px';
    }
  });
  document.addEventListener('pointerleave', leave);

  for (const drawing of document.querySelectorAll('.drawing')) {
    const svg = drawing.querySelector('svg');
    const wide = svg.viewBox.baseVal.width;
    let scale = 0;
    const zoom = make('span', 'zoom');
    const show = (next) => {
      scale = next;
      svg.style.maxWidth = svg.style.minWidth = scale ? 'none' : '';
      svg.style.width = scale ? Math.round(wide * scale) + 'px' : '';
    };
    const button = (text, label, next) => {
      const one = make('button', '', text);
      one.type = 'button';
      one.title = label;
      one.setAttribute('aria-label', label);
      one.addEventListener('click', () => show(next()));
      zoom.append(one);
    };
    const now = () => scale || svg.getBoundingClientRect().width / wide;
    button('\u2212', 'smaller', () => Math.max(0.25, now() / 1.5));
    button('fit', 'as wide as the page', () => 0);
    button('+', 'larger', () => Math.min(12, now() * 1.5));
    drawing.parentElement.querySelector('figcaption').prepend(zoom);
  }
})();
