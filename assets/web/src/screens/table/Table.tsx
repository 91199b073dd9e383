export default function Table() {
  return <p>Table</p>;
}
